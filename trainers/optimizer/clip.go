package optimizer

import (
	"fmt"
	"math"
)

// ClipNorm scales the whole gradient down to a Euclidean norm of at most bound,
// over all weights that are trained. Source: Pascanu et al. 2013, algorithm 1.
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

// need panics, for Start to report it.
func need(link string, v float64, holds bool, want string) {
	if !holds { // so that a NaN fails
		panic(fmt.Sprintf("%s(%v): want %s", link, v, want))
	}
}
