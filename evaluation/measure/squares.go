package measure

import (
	"math"
	"slices"
)

// unitOf is the power of 2 of a unit in which all values that count are below 1 in
// size, so that their squares stay within float64.
func unitOf(weights []float64, columns ...[]float64) int {
	largest := 0.0
	for _, values := range columns {
		for i, v := range values {
			if weights == nil || weights[i] > 0 {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	_, unit := math.Frexp(largest)
	return unit
}

// sumOfSquares is Σ w(a−b)², in the square of a unit; without weights, w = 1.
func sumOfSquares(a, b, weights []float64, unit int) float64 {
	var sum float64
	for i := range a {
		d := math.Ldexp(a[i], -unit) - math.Ldexp(b[i], -unit)
		sum += weighted(weights, i, float64(d*d))
	}
	return sum
}

// weighted is x by the weight of row i, 0 of one that does not count.
func weighted(weights []float64, i int, x float64) float64 {
	switch {
	case weights == nil:
		return x
	case weights[i] == 0:
		return 0
	}
	return float64(weights[i] * x)
}

// spread is Σ w(y−ȳ)², in the square of a unit, for weights with a mean of 1. Differences are taken from the first
// value that counts before the mean is formed, so that a constant column has a spread
// of exactly zero.
func spread(y, weights []float64, unit int) float64 {
	at := max(0, slices.IndexFunc(weights, func(w float64) bool { return w > 0 }))
	first := math.Ldexp(y[at], -unit)
	var shift float64
	for i, v := range y {
		shift += weighted(weights, i, math.Ldexp(v, -unit)-first)
	}
	shift /= float64(len(y))
	var sum float64
	for i, v := range y {
		d := math.Ldexp(v, -unit) - first - shift
		sum += weighted(weights, i, float64(d*d))
	}
	return sum
}
