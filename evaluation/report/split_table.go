package report

import (
	"math"
	"slices"

	"sml/evaluation/measure"
)

// SplitTable shows how a measure changes under data shift: for each split and
// method the mean over the data sets, and below it the median.
func SplitTable(scores []measure.Score, name string, title func(label string) string) Table {
	t := Table{Caption: measureTitle(name) + " by split: mean over data sets, median below", words: 1}
	var methods []string
	for _, s := range scores {
		if s.Measure == name {
			methods = appendNew(methods, s.Method)
		}
	}
	t.header = append([]string{"split"}, titles(methods, title)...)
	for _, split := range Splits() {
		g := newGrid(scores, split, name).common()
		if len(g.datasets) == 0 {
			continue
		}
		row := words(split)
		var values []float64
		for _, method := range methods {
			if !slices.Contains(g.methods, method) {
				row, values = append(row, cell{text: "not run"}), append(values, math.NaN())
				continue
			}
			scores := g.over(method, ours)
			row = append(row, cell{text: printed(mean(scores)), below: []string{printed(median(scores))}})
			values = append(values, mean(scores))
		}
		markBest(row[1:], values, g.higherBetter)
		t.body = append(t.body, row)
	}
	return t
}
