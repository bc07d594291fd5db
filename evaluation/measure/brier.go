package measure

var brier = Measure{
	Name: "brier", Title: "Brier",
	Summary:    "squared distance of the classes' probabilities from the class that y says",
	Formula:    "mean Σₖ (pₖ − tₖ)², tₖ = 1 for the row's class and 0 for others",
	Convention: "from 0 to 2; with two classes twice scikit-learn's brier_score_loss",
	Source:     "Brier (1950), Verification of forecasts expressed in terms of probability",
	Unit:       None, Needs: []Part{Probabilities},
	Compute: func(c *Column) float64 {
		return c.Average(func(row int) float64 {
			p, _ := c.classProbabilities(row)
			sum := 0.0
			for class, q := range p {
				if class == int(c.Y[row]) {
					q--
				}
				sum += float64(q * q)
			}
			return sum
		})
	},
}
