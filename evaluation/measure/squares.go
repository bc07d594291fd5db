package measure

import "math"

// unitOf is the power of 2 of a unit in which all values are below 1 in size, so that
// their squares stay within float64.
func unitOf(columns ...[]float64) int {
	largest := 0.0
	for _, values := range columns {
		for _, v := range values {
			largest = max(largest, math.Abs(v))
		}
	}
	_, unit := math.Frexp(largest)
	return unit
}

// sumOfSquares is Σ(a−b)², in the square of a unit.
func sumOfSquares(a, b []float64, unit int) float64 {
	var sum float64
	for i := range a {
		d := math.Ldexp(a[i], -unit) - math.Ldexp(b[i], -unit)
		sum += float64(d * d)
	}
	return sum
}

// spread is Σ(y−ȳ)², in the square of a unit. Differences are taken from the first
// value before the mean is formed, so that a constant column has a spread of
// exactly zero.
func spread(y []float64, unit int) float64 {
	first := math.Ldexp(y[0], -unit)
	var shift float64
	for _, v := range y {
		shift += math.Ldexp(v, -unit) - first
	}
	shift /= float64(len(y))
	var sum float64
	for _, v := range y {
		d := math.Ldexp(v, -unit) - first - shift
		sum += float64(d * d)
	}
	return sum
}
