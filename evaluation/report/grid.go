package report

import (
	"cmp"
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/internal/statistics"
)

// grid is the scores of one split and one measure, by data set and method.
type grid struct {
	datasets, methods []string // in the order of first appearance
	measure           measure.Measure
	scores            map[[2]string]measure.Score
}

func newGrid(scores []measure.Score, split, name string) grid {
	m, _ := measure.Lookup(name) // of one that is not registered, lower is better
	scores = compare.Filter(scores, func(s measure.Score) bool { return s.Split == split && s.Measure == name })
	g := grid{compare.DistinctNames(scores, datasetOf), compare.DistinctNames(scores, methodOf), m, make(map[[2]string]measure.Score)}
	for _, s := range scores {
		g.scores[[2]string{s.Dataset, s.Method}] = s
	}
	return g
}

func (g grid) at(dataset, method string) (s measure.Score, ok bool) {
	s, ok = g.scores[[2]string{dataset, method}]
	return s, ok
}

// common is the grid of the data sets that all methods were run on. Only over
// these can methods be compared by their means.
func (g grid) common() grid {
	full := g
	g.datasets = nil
	for _, dataset := range full.datasets {
		missing := func(method string) bool {
			_, ok := full.at(dataset, method)
			return !ok
		}
		if !slices.ContainsFunc(full.methods, missing) {
			g.datasets = append(g.datasets, dataset)
		}
	}
	return g
}

// over collects one number of each data set for a method of a common grid.
func (g grid) over(method string, of func(measure.Score) float64) []float64 {
	column := make([]float64, len(g.datasets))
	for i, dataset := range g.datasets {
		column[i] = of(g.scores[[2]string{dataset, method}])
	}
	return column
}

func ours(s measure.Score) float64 { return s.Mean }

// meanRank is the mean over the data sets of a common grid of the place of a
// method among all: 1 for the best. Methods of equal score share the mean of
// their places. A score that is NaN is the last, after an infinite one.
func (g grid) meanRank(method string) float64 {
	ranks := make([]float64, len(g.datasets))
	for i, dataset := range g.datasets {
		own := g.badness(dataset, method)
		better, equal := 0, 0
		for _, m := range g.methods {
			other := g.badness(dataset, m)
			switch c := compareNaNLast(other, own); {
			case c < 0:
				better++
			case c == 0:
				equal++
			}
		}
		ranks[i] = float64(better) + float64(float64(equal+1)/2)
	}
	return statistics.Mean(ranks)
}

// badness is Measure.Badness of a score.
func (g grid) badness(dataset, method string) float64 {
	return g.measure.Badness(g.scores[[2]string{dataset, method}].Mean)
}

func compareNaNLast(a, b float64) int { return cmp.Compare(-b, -a) }

func datasetOf(s measure.Score) string { return s.Dataset }
func methodOf(s measure.Score) string  { return s.Method }

// markBest marks the cell with the best value, and all cells whose value is as good or looks the
// same in print. values has a value for each cell, or NaN for a cell without one. The best value
// has the least badness. With fewer than two values nothing is marked.
func markBest(cells []tabular.Cell, values []float64, badness func(float64) float64) {
	best, least, compared := math.NaN(), math.NaN(), 0
	for _, x := range values {
		bad := badness(x)
		if math.IsNaN(bad) {
			continue
		}
		compared++
		if math.IsNaN(least) || bad < least {
			best, least = x, bad
		}
	}
	for i, x := range values {
		cells[i].Best = compared > 1 && !math.IsInf(best, 0) && (printed(x) == printed(best) || badness(x) == least)
	}
}
