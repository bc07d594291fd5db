package measure

var brier = Measure{
	Name:       "brier",
	Title:      "Brier",
	Summary:    "squared distance between the predicted class probabilities and the true class",
	Formula:    "mean Σₖ (pₖ − tₖ)², tₖ = 1 for the row's class and 0 for others",
	Convention: "from 0 to 2. For two classes, it is twice scikit-learn's brier_score_loss",
	Source:     "Brier (1950), Verification of forecasts expressed in terms of probability",
	Unit:       None,
	Needs:      []Part{Probabilities},
	Compute:    func(c *Column) float64 { return c.Average(c.rowBrier) },
}

// rowBrier returns the Brier score of one row.
func (c *Column) rowBrier(row int) float64 {
	probabilities, _ := c.classProbabilities(row)
	sum := 0.0
	for class, probability := range probabilities {
		distance := probability
		if class == int(c.Y[row]) {
			distance-- // from 1, for the true class
		}
		sum += float64(distance * distance)
	}
	return sum
}
