package measure

import "sml/internal/portable"

var logLoss = Measure{
	Name:       "log-loss",
	Title:      "Log loss",
	Summary:    "cross-entropy of the predicted class probabilities",
	Formula:    "mean −log p of the row's class",
	Convention: "natural logarithm. A probability below 2⁻⁵² counts as 2⁻⁵², as in scikit-learn",
	Source:     "scikit-learn, log_loss; Good (1952), Rational decisions",
	Unit:       None,
	Needs:      []Part{Probabilities},
	Compute:    func(c *Column) float64 { return c.Average(c.rowLogLoss) },
}

// rowLogLoss returns the log loss of one row.
func (c *Column) rowLogLoss(row int) float64 {
	return -max(c.Distributions[row].LogDensity(c.Y[row]), portable.Log(0x1p-52))
}
