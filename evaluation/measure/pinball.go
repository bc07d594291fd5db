package measure

var pinball = Measure{
	Name: "pinball", Title: "Pinball",
	Summary:    "pinball loss of the quantiles, mean over the method's levels",
	Formula:    "mean max(τ(y − q), (τ − 1)(y − q)), over rows and levels τ with quantile q",
	Convention: "scores of methods with other levels cannot be compared",
	Source:     "Koenker & Bassett (1978), Regression quantiles; scikit-learn, mean_pinball_loss",
	Unit:       Target, Needs: []Part{Quantiles},
	Compute: func(c *Column) float64 {
		return c.Average(func(row int) float64 {
			sum := 0.0
			for _, level := range c.Levels {
				d := c.Y[row] - c.Distributions[row].Quantile(level)
				sum += max(float64(level*d), float64((level-1)*d))
			}
			return sum / float64(len(c.Levels))
		})
	},
}
