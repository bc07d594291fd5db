package report

import (
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/study"
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
	scores = FilterScores(scores, func(s measure.Score) bool { return s.Split == split && s.Measure == measureName })
	m, err := measure.Lookup(measureName)
	if err != nil { // it is not registered; lower is better
		m = measure.Measure{Name: measureName, Title: measureName}
	}
	g := grid{
		datasets: DistinctNames(scores, datasetOf),
		methods:  DistinctNames(scores, methodOf),
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

// ranking compares the methods by their ranks on the data sets. The grid must be common.
func (g grid) ranking() methodRanking {
	var badness [][]float64 // by data set and method
	for _, dataset := range g.datasets {
		row := make([]float64, len(g.methods))
		for i, method := range g.methods {
			row[i] = g.badness(dataset, method)
		}
		badness = append(badness, row)
	}
	return rankMethods(badness)
}

// badness returns how bad a method's score on a data set is. Less is better for every measure, also for
// measures whose larger scores are better.
func (g grid) badness(dataset, method string) float64 {
	return g.measure.Badness(g.scores[gridCell{dataset: dataset, method: method}].Mean)
}

// datasetOf returns the data set of a score, for DistinctNames.
func datasetOf(s measure.Score) string { return s.Dataset }

// methodOf returns the label of a score's method, for DistinctNames.
func methodOf(s measure.Score) string { return s.Method }

// markBest sets Best in the cell with the best value, and in all cells whose value is as good or looks
// the same in print, since a reader could not tell why only one of them is bold. values has a value for
// each cell, or NaN for a cell without one. The best value has the least badness. If there are fewer than
// two values, or if the best one is infinite, no cell is marked.
func markBest(cells []Cell, values []float64, badness func(float64) float64) {
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
