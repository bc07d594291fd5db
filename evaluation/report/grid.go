package report

import (
	"cmp"
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/evaluation/study"
	"sml/internal/statistics"
)

// grid has the scores by one measure on one split, by data set and method.
type grid struct {
	datasets []string // in the order of first appearance
	methods  []string // in the order of first appearance
	measure  measure.Measure
	scores   map[gridCell]measure.Score // lacks the cells that were not run

	folds map[gridCell]map[foldKey]study.FoldScores // scores of the trainings; nil if they are not known
}

// gridCell is the key of a score in a grid.
type gridCell struct{ dataset, method string }

// newGrid returns the grid of the scores by the named measure on the named split, and ignores the other
// scores.
func newGrid(scores []measure.Score, split, measureName string) grid {
	scores = compare.Filter(scores, func(s measure.Score) bool { return s.Split == split && s.Measure == measureName })
	m, err := measure.Lookup(measureName)
	if err != nil { // it is not registered; lower is better
		m = measure.Measure{Name: measureName, Title: measureName}
	}
	g := grid{
		datasets: compare.DistinctNames(scores, datasetOf),
		methods:  compare.DistinctNames(scores, methodOf),
		measure:  m,
		scores:   make(map[gridCell]measure.Score),
	}
	for _, s := range scores {
		g.scores[gridCell{dataset: s.Dataset, method: s.Method}] = s
	}
	return g
}

// score returns the score of a method on a data set; ok is false if there is none.
func (g grid) score(dataset, method string) (s measure.Score, ok bool) {
	s, ok = g.scores[gridCell{dataset: dataset, method: method}]
	return s, ok
}

// common returns the grid with only the data sets on which all methods have a score. Means over data
// sets are comparable between methods only in such a grid.
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

// column returns a number for each data set: value, called with the method's score. The grid must be
// common, so that every score exists.
func (g grid) column(method string, value func(measure.Score) float64) []float64 {
	column := make([]float64, len(g.datasets))
	for i, dataset := range g.datasets {
		column[i] = value(g.scores[gridCell{dataset: dataset, method: method}])
	}
	return column
}

// scoreMean returns the mean of a score over its folds, for grid.column.
func scoreMean(s measure.Score) float64 { return s.Mean }

// meanRank returns the mean of a method's ranks over the data sets, from 1 if it is the best of all
// methods on each. The grid must be common.
func (g grid) meanRank(method string) float64 {
	ranks := make([]float64, len(g.datasets))
	for i, dataset := range g.datasets {
		ranks[i] = g.rank(dataset, method)
	}
	return statistics.Mean(ranks)
}

// rank returns the rank of a method on a data set, 1 for the best method. Methods with equal scores all
// get the mean of their ranks. NaN ranks last, after infinite scores.
func (g grid) rank(dataset, method string) float64 {
	badness := g.badness(dataset, method)
	better := 0 // number of methods with a better score
	equal := 0  // number of methods with the same score, the method itself included
	for _, other := range g.methods {
		order := compareNaNLast(g.badness(dataset, other), badness)
		switch {
		case order < 0:
			better++
		case order == 0:
			equal++
		}
	}
	// The equal methods have the ranks from better+1 to better+equal.
	return float64(better) + float64(float64(equal+1)/2)
}

// badness returns how bad a method's score on a data set is. Less is better for every measure, also for
// measures whose larger scores are better.
func (g grid) badness(dataset, method string) float64 {
	return g.measure.Badness(g.scores[gridCell{dataset: dataset, method: method}].Mean)
}

// compareNaNLast compares two numbers as cmp.Compare does, except that NaN is after all numbers.
//
// Negating both numbers and swapping them leaves the order of numbers as it is, and reverses the order of
// NaN and numbers: cmp.Compare sorts NaN first, negated or not.
func compareNaNLast(a, b float64) int { return cmp.Compare(-b, -a) }

// datasetOf returns the data set of a score, for compare.DistinctNames.
func datasetOf(s measure.Score) string { return s.Dataset }

// methodOf returns the label of a score's method, for compare.DistinctNames.
func methodOf(s measure.Score) string { return s.Method }

// markBest sets Best in the cell with the best value, and in all cells whose value is as good or looks
// the same in print, since a reader could not tell why only one of them is bold. values has a value for
// each cell, or NaN for a cell without one. The best value has the least badness. If there are fewer than
// two values, or if the best one is infinite, no cell is marked.
func markBest(cells []tabular.Cell, values []float64, badness func(float64) float64) {
	best, count := bestValue(values, badness)
	if count < 2 || math.IsInf(best, 0) {
		return
	}
	for i, x := range values {
		looksEqual := formatScore(x) == formatScore(best)
		cells[i].Best = looksEqual || badness(x) == badness(best)
	}
}

// bestValue returns the first value with the least badness, and the number of values whose badness is not
// NaN. best is NaN if there are none.
func bestValue(values []float64, badness func(float64) float64) (best float64, count int) {
	best = math.NaN()
	for _, x := range values {
		if math.IsNaN(badness(x)) {
			continue
		}
		count++
		if count == 1 || badness(x) < badness(best) {
			best = x
		}
	}
	return best, count
}
