package calibrate

import "sml/models/distribution"

var isotonic = Kind{
	Name: "isotonic", Title: "Isotonic",
	Summary: "a quantile at the level p is as many σ from the mean as the share p of the rows lies below: intervals may be longer on one side",
	Source:  "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; its finite-sample ranks as in Chernozhukov et al. (2021), Distributional conformal prediction",
	Fit: func(s Sample) TargetFit {
		f := fitScale(s)
		f.Scores = newOrderStatistics(residuals(s, f))
		return f
	},
	Shape: func(f TargetFit) distribution.Shape { return &observedShape{f.Scores} },
	Rows:  func(coverage float64) int { return max(2, ceilTolerant(2/(1-coverage))-1) },
}

// observed is the distribution of the residuals of the rows: the isotonic regression
// of the shares below them on the levels that the model gave them, which is a step
// function with a step at each.
type observedShape struct{ residuals OrderStatistics }

func (o *observedShape) Quantile(level float64) float64 {
	rank := float64(level * float64(o.residuals.Count+1))
	if level < 0.5 {
		return o.residuals.valueAtOrBelow(floorTolerant(rank))
	}
	return o.residuals.valueAtOrAbove(ceilTolerant(rank))
}

func (o *observedShape) Level(z float64) float64 { return o.residuals.fractionBelow(z) }
