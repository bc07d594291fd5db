package calibrate

import (
	"sml/evaluation"
	"sml/models/distribution"
)

// sample has standardised rows of one target.
type sample struct {
	Mean, Std, Y []float64       // predicted mean and standard deviation, and the true target, of each row
	Weights      []float64       // weight of each row; nil if all rows count the same
	Unit         evaluation.Unit // the target's own unit
}

// quantileSample has standardised rows of one target whose predictions are quantiles.
type quantileSample struct {
	Levels    []float64   // quantile levels, ascending
	Quantiles [][]float64 // quantiles of each row, ascending
	Medians   []float64   // median of each row
	Y         []float64   // true target of each row
	Weights   []float64   // weight of each row; nil if all rows count the same
}

// classSample has rows of one target whose values are classes.
type classSample struct {
	Classes []distribution.Classes // predicted probabilities of each row
	Y       []float64              // class of each row
	Weights []float64              // weight of each row; nil if all rows count the same
}

// weight returns the weight of a row, or 1 if all rows count the same.
func (s sample) weight(row int) float64 { return weightOf(s.Weights, row) }

// weightOf returns the weight of a row, or 1 if all rows count the same.
func weightOf(weights []float64, row int) float64 {
	if weights == nil {
		return 1
	}
	return weights[row]
}

// residuals returns (y − mean)/scale of each row. scaleOf returns the scale for a predicted standard deviation.
func (s sample) residuals(scaleOf func(std float64) float64) []float64 {
	residuals := make([]float64, len(s.Y))
	for row, y := range s.Y {
		residuals[row] = (y - s.Mean[row]) / scaleOf(s.Std[row])
	}
	return residuals
}

// thinned returns a sample with at most this number of the rows, evenly spread over them.
func (s sample) thinned(rows int) sample {
	n := len(s.Y)
	if n <= rows {
		return s
	}
	thin := sample{Unit: s.Unit}
	for i := range rows {
		row := i * n / rows
		thin.Mean = append(thin.Mean, s.Mean[row])
		thin.Std = append(thin.Std, s.Std[row])
		thin.Y = append(thin.Y, s.Y[row])
		if s.Weights != nil {
			thin.Weights = append(thin.Weights, s.Weights[row])
		}
	}
	return thin
}
