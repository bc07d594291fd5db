package optimizer

import (
	"fmt"
	"math"
)

// ClipNorm returns a link that scales the gradient down if its Euclidean norm, over all trained
// weights, is larger than bound. The norm is then equal to bound. ClipNorm panics unless bound is
// above 0. Source: Pascanu et al. 2013, algorithm 1.
func ClipNorm(bound float64) Link {
	need("ClipNorm", bound, bound > 0, "a bound above 0")
	return link(func(grad []float32, at At) At {
		squares := 0.0
		for _, g := range grad {
			squares += float64(float64(g) * float64(g))
		}
		norm := math.Sqrt(squares)
		if norm <= bound {
			return at
		}
		scale := float32(bound / norm)
		for i := range grad {
			grad[i] *= scale
		}
		return at
	})
}

// need panics unless holds is true: the argument v of a link's constructor is then out of range.
// Optimizer.Start turns the panic into an error.
func need(link string, v float64, holds bool, want string) {
	if !holds {
		panic(fmt.Sprintf("%s(%v): want %s", link, v, want))
	}
}
