package calibrate

import (
	"sml/evaluation"
	"sml/models"
	"sml/models/distribution"
)

// sample has standardised rows of one target.
type sample struct {
	Predictions []models.Prediction // prediction of each row
	Mean, Std   []float64           // predicted mean and standard deviation of each row; NaN for classes
	Y           []float64           // true target, or class, of each row
	Weights     []float64           // weight of each row; nil if all rows count the same
	Unit        evaluation.Unit     // the target's own unit
}

// quantileSample has standardised rows of one target whose predictions are quantiles.
type quantileSample struct {
	sample
	Levels    []float64   // quantile levels, ascending
	Quantiles [][]float64 // quantiles of each row, ascending
	Medians   []float64   // median of each row
}

// withQuantiles returns the sample with the predicted quantiles at levels.
func (s sample) withQuantiles(levels []float64) quantileSample {
	q := quantileSample{sample: s, Levels: levels}
	for _, p := range s.Predictions {
		q.Quantiles = append(q.Quantiles, quantilesAt(p, levels))
		q.Medians = append(q.Medians, p.Quantile(0.5))
	}
	return q
}

// quantilesAt returns the quantiles of a prediction at levels.
func quantilesAt(p models.Prediction, levels []float64) []float64 {
	quantiles := make([]float64, len(levels))
	for i, level := range levels {
		quantiles[i] = p.Quantile(level)
	}
	return quantiles
}

// classes returns the predicted probabilities of the classes of a row.
func (s sample) classes(row int) distribution.Classes {
	return s.Predictions[row].Distribution.(distribution.Classes)
}

// weight returns the weight of a row, or 1 if all rows count the same.
func (s sample) weight(row int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[row]
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
		thin.Predictions = append(thin.Predictions, s.Predictions[row])
		thin.Mean = append(thin.Mean, s.Mean[row])
		thin.Std = append(thin.Std, s.Std[row])
		thin.Y = append(thin.Y, s.Y[row])
		if s.Weights != nil {
			thin.Weights = append(thin.Weights, s.Weights[row])
		}
	}
	return thin
}
