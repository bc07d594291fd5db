package calibrate

import "sml/models/distribution"

var isotonic = Kind{
	Name: "isotonic", Title: "Isotonic",
	Summary: "the quantile at level p is as many σ from the mean as the residual above a fraction p of the calibration rows; intervals may be asymmetric",
	Source:  "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; its finite-sample ranks as in Chernozhukov et al. (2021), Distributional conformal prediction",
	Fit: func(s Sample) TargetFit {
		f := fitScale(s)
		f.Scores = newOrderStatistics(residuals(s, f))
		return f
	},
	Shape: func(f TargetFit) distribution.Shape { return &observedShape{f.Scores} },
	Rows:  func(coverage float64) int { return max(2, ceilTolerant(2/(1-coverage))-1) },
}

// observedShape is the distribution of the residuals of the calibration rows: the isotonic
// regression of the fraction of rows below a residual, a step function.
type observedShape struct{ residuals OrderStatistics }

// Quantile returns the residual at a level. It rounds away from the median, so that intervals are
// rather too wide.
func (o *observedShape) Quantile(level float64) float64 {
	rank := float64(level * float64(o.residuals.Count+1))
	if level < 0.5 {
		return o.residuals.valueAtOrBelow(floorTolerant(rank))
	}
	return o.residuals.valueAtOrAbove(ceilTolerant(rank))
}

// Level returns the level of a residual z, the inverse of Quantile.
func (o *observedShape) Level(z float64) float64 { return o.residuals.fractionBelow(z) }
