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
	for _, m := range measuresOf(scores) {
		ofMeasure := compare.Filter(scores, func(s measure.Score) bool { return s.Measure == m })
		t.Body = append(t.Body, agreementRow(measure.Title(m), ofMeasure, methods, reference))
	}
	t.Foot = [][]tabular.Cell{agreementRow("all measures", scores, methods, reference)}
	return t
}

// agreementRow returns a row with the agreement of each method's scores, and of all scores.
func agreementRow(name string, scores []measure.Score, methods []string, reference compare.Reference) []tabular.Cell {
	row := tabular.Words(name)
	for _, method := range methods {
		ofMethod := compare.Filter(scores, func(s measure.Score) bool { return s.Method == method })
		row = append(row, agreementCell(compare.Agree(ofMethod, reference)))
	}
	return append(row, agreementCell(compare.Agree(scores, reference)))
}

// agreementCell returns the counts of an agreement, or a dash if no scores were compared.
func agreementCell(a compare.Agreement) tabular.Cell {
	if a.Compared == 0 {
		return tabular.Cell{Text: formatScore(math.NaN())}
	}
	return tabular.Cell{Text: fmt.Sprintf("%d of %d", a.Met, a.Compared)}
}

// missTable returns a table of the reference's scores that ours do not meet.
func missTable(scores []measure.Score, reference compare.Reference, title func(label string) string) tabular.Table {
	t := tabular.Table{
		Caption: "Scores of " + reference.InText + " that are not met",
		Words:   3,
		Header:  []string{"data set", "measure", "method", "ours", reference.Name, "ours − " + reference.Name},
	}
	for _, s := range compare.Agree(scores, reference).Misses {
		other := reference.Score(s)
		row := tabular.Words(s.Dataset, measure.Title(s.Measure), titles([]string{s.Method}, title)[0])
		ours := tabular.Cell{Text: formatMeanStd(s)}
		if s.Failed > 0 {
			ours.Below = []string{describeFailures(s)}
		}
		row = append(row, ours, tabular.Cell{Text: formatScore(other)}, tabular.Cell{Text: formatDifference(s.Mean, other)})
		t.Body = append(t.Body, row)
	}
	return t
}
