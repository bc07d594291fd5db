package baseline

import (
	"sml/data"
	"sml/evaluation/measure"
	"sml/models/distribution"
)

// frequencies has the weighted fraction of the training rows for each class.
type frequencies []float64

// classFrequencies returns the frequencies of the classes of the rows.
func (r Rows) classFrequencies() frequencies {
	f := make(frequencies, r.Classes)
	total := r.totalWeight()
	for i, y := range r.Y {
		f[int(y)] += r.weight(i) / total
	}
	return f
}

// predict returns the frequencies as the probabilities of the classes of all test rows.
func (f frequencies) predict(test Rows) *measure.Column {
	column := &measure.Column{Y: test.Y, Weights: test.Weights, Protocol: data.Sound}
	for range test.Y {
		column.Distributions = append(column.Distributions, distribution.Classes(f))
	}
	return column
}
