package measure

import "math"

var mape = Measure{
	Name:       "mape",
	Title:      "MAPE",
	Summary:    "mean absolute percentage error: the absolute error relative to the target, as a fraction",
	Formula:    "mean |μ − y|/|y|",
	Convention: "0.1 is 10 %. In the target's own unit only. A target of 0 counts as 2⁻⁵², as in scikit-learn",
	Source:     "scikit-learn, mean_absolute_percentage_error",
	Unit:       OwnUnit,
	Needs:      []Part{Mean},
	OnRequest:  true,
	Compute: func(c *Column) float64 {
		return c.Average(func(row int) float64 {
			return math.Abs(c.Mean[row]-c.Y[row]) / max(math.Abs(c.Y[row]), 0x1p-52)
		})
	},
}
