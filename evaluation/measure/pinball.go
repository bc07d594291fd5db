package measure

var pinball = Measure{
	Name:       "pinball",
	Title:      "Pinball",
	Summary:    "pinball loss of the predicted quantiles, mean over the method's levels",
	Formula:    "mean max(τ(y − q), (τ − 1)(y − q)), over rows and levels τ with quantile q",
	Convention: "only for learned quantiles. Scores of methods with different levels are not comparable. At the level 1/2 it is half the MAE",
	Source:     "Koenker & Bassett (1978), Regression quantiles; scikit-learn, mean_pinball_loss",
	Unit:       Target,
	Needs:      []Part{Quantiles},
	Compute: func(c *Column) float64 {
		return c.Average(func(row int) float64 {
			sum := 0.0
			for _, level := range c.Levels {
				difference := c.Y[row] - c.Distributions[row].Quantile(level)
				sum += max(float64(level*difference), float64((level-1)*difference))
			}
			return sum / float64(len(c.Levels))
		})
	},
}
