package methods

import (
	"slices"

	"sml/internal/portable"
)

// Softmax returns eˣ/Σ eˣ, without overflow: probabilities of classes, weights of a
// mixture.
func Softmax(x []float64) []float64 {
	largest, sum := slices.Max(x), 0.0
	p := make([]float64, len(x))
	for i, v := range x {
		p[i] = portable.Exp(v - largest)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
