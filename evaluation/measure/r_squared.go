package measure

import "math"

var r2 = Measure{
	Name: "r2", Title: "R²",
	Summary:    "fraction of the targets' variance that the mean explains",
	Formula:    "1 − Σ(μ − y)²/Σ(y − ȳ)²",
	Convention: "if y is constant, 1 for exact means and otherwise 0; NaN for a single row",
	Source:     "scikit-learn, r2_score",
	Unit:       None, HigherIsBetter: true, Needs: []Part{Mean},
	Compute: func(c *Column) float64 {
		if c.countWeighted() < 2 {
			return math.NaN()
		}
		unit := squareUnit(c.scaledWeights(), c.Mean, c.Y)
		residual, total := sumOfSquares(c.Mean, c.Y, c.scaledWeights(), unit), sumOfDeviations(c.Y, c.scaledWeights(), unit)
		switch {
		case residual == 0:
			return 1
		case total == 0:
			return 0
		}
		return 1 - residual/total
	},
}
