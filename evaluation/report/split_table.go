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

// calibrationMeasures are the measures of a report's summary. They judge σ and have no unit, so that
// means over data sets make sense. KS has these properties, too, but it shows the same as WS, and
// less of outliers.
var calibrationMeasures = []string{"ece", "ws"}

// SplitTables returns a splitTable for ECE and one for WS. It leaves out a table without scores.
func SplitTables(scores []measure.Score, title func(label string) string) []tabular.Table {
	var list []tabular.Table
	for _, name := range calibrationMeasures {
		t := splitTable(scores, name, title)
		if len(t.Body) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// splitTable returns a table that shows how a measure changes under data shift: for each split and
// method the mean over the data sets, and below it the median.
func splitTable(scores []measure.Score, name string, title func(label string) string) tabular.Table {
	ofMeasure := compare.Filter(scores, func(s measure.Score) bool { return s.Measure == name })
	methods := compare.DistinctNames(ofMeasure, methodOf)
	t := tabular.Table{
		Caption: measure.Title(name) + " by split: mean over data sets, median below",
		Words:   1,
		Header:  append([]string{"split"}, titles(methods, title)...),
	}
	for _, split := range drawing.Splits {
		g := newGrid(scores, split.Name, name).common()
		if len(g.datasets) > 0 {
			t.Body = append(t.Body, g.splitRow(split.Name, methods))
		}
	}
	return t
}

// splitRow returns a row with the mean and the median over the data sets of each method's scores.
// The grid must be common.
func (g grid) splitRow(split string, methods []string) []tabular.Cell {
	row := tabular.Words(split)
	var means []float64
	for _, method := range methods {
		if !slices.Contains(g.methods, method) {
			row = append(row, tabular.Cell{Text: "not run"})
			means = append(means, math.NaN())
			continue
		}
		scores := g.column(method, scoreMean)
		mean := statistics.Mean(scores)
		row = append(row, tabular.Cell{Text: formatScore(mean), Below: []string{formatScore(statistics.Median(scores))}})
		means = append(means, mean)
	}
	markBest(row[1:], means, g.measure.Badness)
	return row
}
