package calibrate

import "sml/models/distribution"

var isotonic = Kind{
	Name:    "isotonic",
	Title:   "Isotonic",
	Summary: "the quantile at level p is as many σ from the mean as the residual that a fraction p of the calibration rows is below; intervals may be asymmetric",
	Source:  "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; its finite-sample ranks as in Chernozhukov et al. (2021), Distributional conformal prediction",
	Fit:     fitScale,
	Score:   func(residual float64) float64 { return residual },
	Shape:   func(residuals Scores) distribution.Shape { return observedShape{residuals} },

	// Both ends of an interval are finite if the rank (n + 1)(1 − c)/2 of the lower one is at least 1.
	Rows: func(coverage float64) int { return max(fewestRows, ceilTolerant(2/(1-coverage))-1) },
}

// observedShape is the distribution of the residuals of the calibration rows: the isotonic
// regression of the fraction of rows below a residual, a step function.
type observedShape struct{ residuals Scores }

// Quantile returns the residual at a level. It rounds ranks away from the median, so that intervals are
// rather too wide than too narrow. It is infinite if there are too few calibration rows for the level.
func (o observedShape) Quantile(level float64) float64 {
	if level < 0.5 {
		return o.residuals.AtOrBelow(level)
	}
	return o.residuals.AtOrAbove(level)
}

// Level returns the level of a residual z, the inverse of Quantile.
func (o observedShape) Level(z float64) float64 { return o.residuals.FractionBelow(z) }
