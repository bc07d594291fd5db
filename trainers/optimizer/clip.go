package optimizer

import (
	"fmt"
	"math"
)

// ClipNorm returns a link that scales the gradient down if its Euclidean norm, over all trained
// weights, is larger than bound. The norm is then equal to bound. ClipNorm panics unless bound is
// above 0. Source: Pascanu et al. 2013, algorithm 1.
func ClipNorm(bound float64) Link {
	checkArgument("ClipNorm", bound, bound > 0, "a bound above 0")
	return linkFunc(func(grad []float32, at At) At {
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

// checkArgument panics unless isValid is true: v, the argument of a link's constructor, is then out of
// range. Optimizer.Start turns the panic into an error.
func checkArgument(link string, v float64, isValid bool, want string) {
	if !isValid {
		panic(fmt.Sprintf("%s(%v): want %s", link, v, want))
	}
}
