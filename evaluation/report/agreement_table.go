package report

import (
	"fmt"
	"math"

	"sml/evaluation/measure"
)

// AgreementTable says how many scores of a reference are met, by measure and
// method.
func AgreementTable(scores []measure.Score, reference Reference, title func(label string) string) Table {
	scores = Where(scores, func(s measure.Score) bool { return !math.IsNaN(reference.of(s)) })
	methods := Distinct(scores, methodOf)
	t := Table{Caption: "Scores of " + reference.The + " that are met", Words: 1}
	t.Header = append(append([]string{"measure"}, titles(methods, title)...), "all methods")
	row := func(name, of string) []Cell {
		cells := Words(name)
		for _, method := range append(methods[:len(methods):len(methods)], "") {
			a := Agree(Where(scores, func(s measure.Score) bool {
				return (of == "" || s.Measure == of) && (method == "" || s.Method == method)
			}), reference)
			if a.Of == 0 {
				cells = append(cells, Cell{Text: printed(math.NaN())})
				continue
			}
			cells = append(cells, Cell{Text: fmt.Sprintf("%d of %d", a.Met, a.Of)})
		}
		return cells
	}
	for _, m := range measuresOf(scores) {
		t.Body = append(t.Body, row(MeasureTitle(m), m))
	}
	t.Foot = [][]Cell{row("all measures", "")}
	return t
}

// MissTable lists the scores of a reference that are not met.
func MissTable(scores []measure.Score, reference Reference, title func(label string) string) Table {
	t := Table{
		Caption: "Scores of " + reference.The + " that are not met", Words: 3,
		Header: []string{"data set", "measure", "method", "ours", reference.Name, "ours − " + reference.Name},
	}
	for _, s := range Agree(scores, reference).Misses {
		row := Words(s.Dataset, MeasureTitle(s.Measure), titles([]string{s.Method}, title)[0], spread(s), printed(reference.of(s)), difference(s.Mean, reference.of(s)))
		if s.Failed > 0 {
			row[3].Below = []string{failures(s)}
		}
		t.Body = append(t.Body, row)
	}
	return t
}
