package measure

import (
	"math"
	"slices"
)

// sumOfSquares returns Σ w(a−b)², with a and b in the unit 2^exponent. Without weights, w = 1.
func sumOfSquares(a, b, weights []float64, exponent int) float64 {
	var sum float64
	for i := range a {
		d := math.Ldexp(a[i], -exponent) - math.Ldexp(b[i], -exponent)
		sum += weighted(weights, i, float64(d*d))
	}
	return sum
}

// weighted returns x times the weight of row i. A row with weight 0 has 0, even if x is infinite,
// and without weights the result is x.
func weighted(weights []float64, i int, x float64) float64 {
	switch {
	case weights == nil:
		return x
	case weights[i] == 0:
		return 0
	}
	return float64(weights[i] * x)
}

// sumOfDeviations returns Σ w(y−ȳ)², with y in the unit 2^exponent, for weights with a mean of 1.
// It subtracts the first value with a weight above 0 before it forms the mean, so that the sum is
// exactly 0 if y is constant.
func sumOfDeviations(y, weights []float64, exponent int) float64 {
	firstRow := max(0, slices.IndexFunc(weights, func(w float64) bool { return w > 0 }))
	first := math.Ldexp(y[firstRow], -exponent)
	var shift float64
	for i, v := range y {
		shift += weighted(weights, i, math.Ldexp(v, -exponent)-first)
	}
	shift /= float64(len(y))
	var sum float64
	for i, v := range y {
		d := math.Ldexp(v, -exponent) - first - shift
		sum += weighted(weights, i, float64(d*d))
	}
	return sum
}

// squareUnit returns the exponent e of a unit 2^e in which all values with a weight above 0 are
// below 1 in size, so that their squares stay within float64. Scaling by a power of 2 is exact.
func squareUnit(weights []float64, columns ...[]float64) int {
	largest := 0.0
	for _, values := range columns {
		for i, v := range values {
			if weights == nil || weights[i] > 0 {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	_, exponent := math.Frexp(largest)
	return exponent
}
