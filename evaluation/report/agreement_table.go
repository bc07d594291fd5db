package report

import (
	"fmt"
	"math"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
)

// agreementTable returns a table with the number of the reference's scores that ours meet, by
// measure and method. See compare.Tolerance.
func agreementTable(scores []measure.Score, reference compare.Reference, title func(label string) string) tabular.Table {
	scores = compare.Filter(scores, func(s measure.Score) bool { return !math.IsNaN(reference.Score(s)) })
	methods := compare.DistinctNames(scores, methodOf)
	t := tabular.Table{Caption: "Scores of " + reference.InText + " that are met", Words: 1}
	t.Header = append(append([]string{"measure"}, titles(methods, title)...), "all methods")
	row := func(name, of string) []tabular.Cell {
		cells := tabular.Words(name)
		for _, method := range append(methods[:len(methods):len(methods)], "") {
			a := compare.Agree(compare.Filter(scores, func(s measure.Score) bool {
				return (of == "" || s.Measure == of) && (method == "" || s.Method == method)
			}), reference)
			if a.Compared == 0 {
				cells = append(cells, tabular.Cell{Text: printed(math.NaN())})
				continue
			}
			cells = append(cells, tabular.Cell{Text: fmt.Sprintf("%d of %d", a.Met, a.Compared)})
		}
		return cells
	}
	for _, m := range measuresOf(scores) {
		t.Body = append(t.Body, row(measure.Title(m), m))
	}
	t.Foot = [][]tabular.Cell{row("all measures", "")}
	return t
}

// missTable returns a table of the reference's scores that ours do not meet.
func missTable(scores []measure.Score, reference compare.Reference, title func(label string) string) tabular.Table {
	t := tabular.Table{
		Caption: "Scores of " + reference.InText + " that are not met", Words: 3,
		Header: []string{"data set", "measure", "method", "ours", reference.Name, "ours − " + reference.Name},
	}
	for _, s := range compare.Agree(scores, reference).Misses {
		row := tabular.Words(s.Dataset, measure.Title(s.Measure), titles([]string{s.Method}, title)[0], spread(s), printed(reference.Score(s)), difference(s.Mean, reference.Score(s)))
		if s.Failed > 0 {
			row[3].Below = []string{failures(s)}
		}
		t.Body = append(t.Body, row)
	}
	return t
}
