package measure

import "math"

var mae = Measure{
	Name:    "mae",
	Title:   "MAE",
	Summary: "mean absolute error of the predicted mean",
	Formula: "mean |μ − y|",
	Source:  "scikit-learn, mean_absolute_error",
	Unit:    Target,
	Needs:   []Part{Mean},
	Compute: func(c *Column) float64 {
		return c.Average(func(i int) float64 { return math.Abs(c.Mean[i] - c.Y[i]) })
	},
}
