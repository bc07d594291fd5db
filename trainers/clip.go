package trainers

import "math"

// clip scales the gradient down to a norm of at most bound.
func clip(grad []float32, bound float64) {
	squares := 0.0
	for _, g := range grad {
		squares += float64(float64(g) * float64(g))
	}
	norm := math.Sqrt(squares)
	if norm <= bound {
		return
	}
	scale := float32(bound / norm)
	for i := range grad {
		grad[i] *= scale
	}
}
