package measure

import "math"

var rmse = Measure{
	Name: "rmse", Title: "RMSE",
	Summary: "root-mean-square error of the mean",
	Formula: "√ mean (μ − y)²",
	Source:  "Sicking et al., second-moment loss, appendix \"Evaluation measures\"",
	Unit:    Target, Needs: []Part{Mean},
	Compute: func(c *Column) float64 {
		unit := squareUnit(c.scaledWeights(), c.Mean, c.Y)
		return math.Ldexp(math.Sqrt(sumOfSquares(c.Mean, c.Y, c.scaledWeights(), unit)/float64(len(c.Y))), unit)
	},
}
