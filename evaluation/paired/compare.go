package paired

import (
	"slices"

	"sml/evaluation/measure"
	"sml/internal/statistics"
)

// Fold has the test rows of a fold, or the only set of test rows, on which methods are compared.
type Fold struct {
	Rows      int       // number of test rows
	KnownRows int       // number of rows that the trainings of the fold know; only needed if there are several folds
	Weights   []float64 // weight of each test row; nil if all count the same
	Groups    []string  // group of each test row; nil if the rows are independent
}

// Losses are the losses of a method in the test rows of each fold, by one or several measures.
type Losses [][]measure.RowLoss

// MeasureDifference is a difference by a measure.
type MeasureDifference struct {
	Measure string
	Difference
}

// Scores returns the scores of a method by all measures of its losses, as means over the folds.
func Scores(folds []Fold, losses Losses) measure.Scores {
	var scores measure.Scores
	for index, loss := range losses[0] {
		mean := statistics.Mean(foldScores(folds, losses, index))
		scores = append(scores, measure.Value{Measure: loss.Measure, Score: mean})
	}
	return scores
}

// Differences returns the differences of a method to a reference by all measures that both have. Their intervals are over
// the rows or groups of a single fold, and over the folds if there are several.
func Differences(folds []Fold, losses, reference Losses) []MeasureDifference {
	var differences []MeasureDifference
	for index, loss := range losses[0] {
		isSame := func(other measure.RowLoss) bool { return other.Measure == loss.Measure }
		other := slices.IndexFunc(reference[0], isSame)
		if other < 0 {
			continue
		}
		var d Difference
		if len(folds) == 1 {
			d = overRows(loss, reference[0][other], folds[0].Weights, folds[0].Groups)
		} else {
			d = overFolds(folds, foldScores(folds, losses, index), foldScores(folds, reference, other))
		}
		differences = append(differences, MeasureDifference{Measure: loss.Measure, Difference: d})
	}
	return differences
}

// foldScores returns the score of a method on each fold, by the measure of the losses at an index.
func foldScores(folds []Fold, losses Losses, index int) []float64 {
	var scores []float64
	for i, fold := range folds {
		scores = append(scores, scoreOf(losses[i][index], fold.Weights))
	}
	return scores
}

// overFolds returns the difference of two methods by their scores on each fold.
func overFolds(folds []Fold, scores, others []float64) Difference {
	differences := make([]float64, len(folds))
	test := 0
	known := 0
	for i, fold := range folds {
		differences[i] = scores[i] - others[i]
		test += fold.Rows
		known += fold.KnownRows
	}
	return OverFolds(differences, float64(test)/float64(known))
}
