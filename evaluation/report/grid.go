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

// grid has the scores of one split and one measure, by data set and method.
type grid struct {
	datasets, methods []string // in the order of first appearance
	measure           measure.Measure
	scores            map[gridCell]measure.Score
}

type gridCell struct{ dataset, method string }

func newGrid(scores []measure.Score, split, name string) grid {
	scores = compare.Filter(scores, func(s measure.Score) bool { return s.Split == split && s.Measure == name })
	m, _ := measure.Lookup(name) // the zero Measure, for which lower is better, if it is not registered
	g := grid{
		datasets: compare.DistinctNames(scores, datasetOf),
		methods:  compare.DistinctNames(scores, methodOf),
		measure:  m,
		scores:   make(map[gridCell]measure.Score),
	}
	for _, s := range scores {
		g.scores[gridCell{s.Dataset, s.Method}] = s
	}
	return g
}

// score returns the score of a method on a data set; ok is false if there is none.
func (g grid) score(dataset, method string) (s measure.Score, ok bool) {
	s, ok = g.scores[gridCell{dataset, method}]
	return s, ok
}

// common returns the grid of the data sets on which all methods have a score. Means over data sets
// compare methods only in such a grid.
func (g grid) common() grid {
	common := g
	common.datasets = nil
	for _, dataset := range g.datasets {
		isMissing := func(method string) bool {
			_, ok := g.score(dataset, method)
			return !ok
		}
		if !slices.ContainsFunc(g.methods, isMissing) {
			common.datasets = append(common.datasets, dataset)
		}
	}
	return common
}

// column returns a number for each data set of a common grid: value of the method's score.
func (g grid) column(method string, value func(measure.Score) float64) []float64 {
	column := make([]float64, len(g.datasets))
	for i, dataset := range g.datasets {
		column[i] = value(g.scores[gridCell{dataset, method}])
	}
	return column
}

func scoreMean(s measure.Score) float64 { return s.Mean }

// meanRank returns the mean rank of a method over the data sets of a common grid, 1 for the best of
// all methods. Methods with equal scores share the mean of their ranks. NaN ranks last, after
// infinite scores.
func (g grid) meanRank(method string) float64 {
	ranks := make([]float64, len(g.datasets))
	for i, dataset := range g.datasets {
		ranks[i] = g.rank(dataset, method)
	}
	return statistics.Mean(ranks)
}

// rank returns the rank of a method on a data set.
func (g grid) rank(dataset, method string) float64 {
	own := g.badness(dataset, method)
	better := 0
	equal := 0 // the method itself, too
	for _, m := range g.methods {
		switch order := compareNaNLast(g.badness(dataset, m), own); {
		case order < 0:
			better++
		case order == 0:
			equal++
		}
	}
	return float64(better) + float64(float64(equal+1)/2)
}

// badness returns measure.Measure.Badness of a method's score: less is better for all measures.
func (g grid) badness(dataset, method string) float64 {
	return g.measure.Badness(g.scores[gridCell{dataset, method}].Mean)
}

// compareNaNLast compares two numbers as cmp.Compare does, but sorts NaN after all numbers.
func compareNaNLast(a, b float64) int { return cmp.Compare(-b, -a) }

func datasetOf(s measure.Score) string { return s.Dataset }
func methodOf(s measure.Score) string  { return s.Method }

// markBest marks the cell with the best value, and all cells whose value is as good or looks the
// same in print. values has a value for each cell, or NaN for a cell without one. The best value
// has the least badness. Nothing is marked
// if there are fewer than two values, or if the best is infinite.
func markBest(cells []tabular.Cell, values []float64, badness func(float64) float64) {
	best := math.NaN()
	leastBadness := math.NaN()
	compared := 0
	for _, x := range values {
		bad := badness(x)
		if math.IsNaN(bad) {
			continue
		}
		compared++
		if math.IsNaN(leastBadness) || bad < leastBadness {
			best = x
			leastBadness = bad
		}
	}
	if compared < 2 || math.IsInf(best, 0) {
		return
	}
	for i, x := range values {
		cells[i].Best = formatScore(x) == formatScore(best) || badness(x) == leastBadness
	}
}
