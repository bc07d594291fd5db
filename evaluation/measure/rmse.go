package measure

import "math"

var rmse = Measure{
	Name:    "rmse",
	Title:   "RMSE",
	Summary: "root-mean-square error of the predicted mean",
	Formula: "√ mean (μ − y)²",
	Source:  "Sicking et al., second-moment loss, appendix \"Evaluation measures\"",
	Unit:    Target,
	Needs:   []Part{Mean},
	Compute: func(c *Column) float64 {
		weights := c.scaledWeights()
		exponent := squareUnit(weights, c.Mean, c.Y)
		meanSquare := sumOfSquares(c.Mean, c.Y, weights, exponent) / float64(len(c.Y))
		return math.Ldexp(math.Sqrt(meanSquare), exponent)
	},
}
