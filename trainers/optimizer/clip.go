package optimizer

import (
	"fmt"
	"math"
)

// ClipNorm returns a gradient transform that scales the gradient down to a Euclidean norm of bound
// if its norm, over all trained weights, is larger. ClipNorm panics unless bound is above 0.
// Source: Pascanu et al. 2013, algorithm 1.
func ClipNorm(bound float64) GradientTransform {
	checkArgument("ClipNorm", bound, bound > 0, "a bound above 0")
	return transformFunc(func(grad []float32, info StepInfo) StepInfo {
		norm := euclideanNorm(grad)
		if norm <= bound {
			return info
		}
		scale := float32(bound / norm)
		for i := range grad {
			grad[i] *= scale
		}
		return info
	})
}

// euclideanNorm returns the root of the sum of the squares.
func euclideanNorm(values []float32) float64 {
	squares := 0.0
	for _, v := range values {
		squares += float64(float64(v) * float64(v))
	}
	return math.Sqrt(squares)
}

// checkArgument panics unless isValid is true. constructor names the function that was called with
// the argument v, and want says which arguments are valid. Optimizer.Start turns the panic into an
// error.
func checkArgument(constructor string, v float64, isValid bool, want string) {
	if !isValid {
		panic(fmt.Sprintf("%s(%v): want %s", constructor, v, want))
	}
}
