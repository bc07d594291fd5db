package measure

import (
	"slices"

	"sml/internal/strict"
)

// Confusion has the weight of the rows by their true and predicted class: element [i][j] is that of rows of class i whose
// most probable class is j, the first of equally probable ones.
type Confusion [][]float64

// ClassScores has scores of the predictions of one class.
type ClassScores struct {
	Rows      float64       `json:"rows"`      // weight of the rows of the class
	Precision strict.Number `json:"precision"` // fraction of the rows predicted as the class that have it; 0 if none is predicted so
	Recall    strict.Number `json:"recall"`    // fraction of the rows of the class that are predicted as it; 0 without rows
	F1        strict.Number `json:"f1"`        // harmonic mean of precision and recall; 0 if both are 0
}

// Confusion returns the confusion matrix of the predictions, or nil if the target is no class. Rows count by their
// weights, whose mean is 1.
func (c *Column) Confusion() Confusion {
	classes, ok := c.classProbabilities(0)
	if !ok {
		return nil
	}
	matrix := make(Confusion, len(classes))
	for i := range matrix {
		matrix[i] = make([]float64, len(classes))
	}
	weights := c.scaledWeights()
	for row, y := range c.Y {
		p, _ := c.classProbabilities(row)
		matrix[int(y)][slices.Index(p, slices.Max(p))] += weighted(weights, row, 1)
	}
	return matrix
}

// Scores returns the scores of each class.
//
// Source: scikit-learn, precision_recall_fscore_support with zero_division=0.
func (m Confusion) Scores() []ClassScores {
	scores := make([]ClassScores, len(m))
	for class, row := range m {
		predicted := 0.0
		for _, other := range m {
			predicted += other[class]
		}
		for _, weight := range row {
			scores[class].Rows += weight
		}
		right := row[class]
		scores[class].Precision = fractionOf(right, predicted)
		scores[class].Recall = fractionOf(right, scores[class].Rows)
		scores[class].F1 = fractionOf(2*right, predicted+scores[class].Rows)
	}
	return scores
}

// fractionOf returns part/all, and 0 if both are 0.
func fractionOf(part, all float64) strict.Number {
	if all == 0 {
		return 0
	}
	return strict.Number(part / all)
}
