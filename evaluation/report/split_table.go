package report

import (
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/internal/statistics"
)

// calibration lists the measures of a report's summary. They judge σ and have no unit, so their
// means over data sets make sense. KS has these properties too, but it says the same as WS, and
// less about outliers.
var calibration = []string{"ece", "ws"}

// SplitTables returns a splitTable for ECE and one for WS. It leaves out a table without scores.
func SplitTables(scores []measure.Score, title func(label string) string) []tabular.Table {
	var list []tabular.Table
	for _, name := range calibration {
		if t := splitTable(scores, name, title); len(t.Body) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// splitTable returns a table that shows how a measure changes under data shift: for each split and
// method the mean over the data sets, and below it the median.
func splitTable(scores []measure.Score, name string, title func(label string) string) tabular.Table {
	t := tabular.Table{Caption: measure.Title(name) + " by split: mean over data sets, median below", Words: 1}
	methods := compare.DistinctNames(compare.Filter(scores, func(s measure.Score) bool { return s.Measure == name }), methodOf)
	t.Header = append([]string{"split"}, titles(methods, title)...)
	for _, split := range drawing.Splits {
		g := newGrid(scores, split.Name, name).common()
		if len(g.datasets) == 0 {
			continue
		}
		row := tabular.Words(split.Name)
		var values []float64
		for _, method := range methods {
			if !slices.Contains(g.methods, method) {
				row, values = append(row, tabular.Cell{Text: "not run"}), append(values, math.NaN())
				continue
			}
			scores := g.over(method, ours)
			row = append(row, tabular.Cell{Text: printed(statistics.Mean(scores)), Below: []string{printed(statistics.Median(scores))}})
			values = append(values, statistics.Mean(scores))
		}
		markBest(row[1:], values, g.measure.Badness)
		t.Body = append(t.Body, row)
	}
	return t
}
