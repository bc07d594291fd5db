package optimizer

import (
	"fmt"
	"math"
)

// ClipNorm returns a gradient transform that limits the Euclidean norm of the gradient, over all trained
// weights, to bound: a gradient with a larger norm is scaled down to it and keeps its direction. ClipNorm
// panics unless bound is above 0. Source: Pascanu et al. 2013, algorithm 1.
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

// checkArgument panics unless isValid is true. function is the name of the function that was called with
// the argument v, and want says which arguments are valid. Optimizer.Start turns the panic into an
// error.
func checkArgument(function string, v float64, isValid bool, want string) {
	if !isValid {
		panic(fmt.Sprintf("%s(%v): want %s", function, v, want))
	}
}
