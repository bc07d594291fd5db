package measure

import "slices"

var accuracy = Measure{
	Name:           "accuracy",
	Title:          "Accuracy",
	Summary:        "fraction of the rows whose most probable class is the true class",
	Formula:        "fraction of rows with arg max p = y",
	Convention:     "if several classes are equally probable, the first one counts",
	Source:         "scikit-learn, accuracy_score",
	Unit:           None,
	HigherIsBetter: true,
	Needs:          []Part{Probabilities},
	Compute:        func(c *Column) float64 { return c.Average(c.rowAccuracy) },
}

// rowAccuracy returns 1 if the most probable class of a row is its true class, and 0 otherwise.
func (c *Column) rowAccuracy(row int) float64 {
	p, _ := c.classProbabilities(row)
	if slices.Index(p, slices.Max(p)) == int(c.Y[row]) {
		return 1
	}
	return 0
}
