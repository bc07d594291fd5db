package measure

import "math"

var r2 = Measure{
	Name:           "r2",
	Title:          "R²",
	Summary:        "fraction of the targets' variance that the predicted mean explains",
	Formula:        "1 − Σ(μ − y)²/Σ(y − ȳ)²",
	Convention:     "as in scikit-learn. For constant y, 1 if all means are exact and otherwise 0; NaN for a single row",
	Source:         "scikit-learn, r2_score",
	Unit:           None,
	HigherIsBetter: true,
	Needs:          []Part{Mean},
	Compute: func(c *Column) float64 {
		if c.countWeighted() < 2 {
			return math.NaN()
		}
		weights := c.scaledWeights()
		exponent := squareUnit(weights, c.Mean, c.Y)
		residual := sumOfSquares(c.Mean, c.Y, weights, exponent)
		total := sumOfDeviations(c.Y, weights, exponent) // in the same unit, which cancels below
		switch {
		case residual == 0:
			return 1
		case total == 0:
			return 0
		}
		return 1 - residual/total
	},
}
