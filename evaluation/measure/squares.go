package measure

import (
	"math"
	"slices"
)

// rootMeanSquare returns the root of the weighted mean of (a−b)² over the rows.
func (c *Column) rootMeanSquare(a, b []float64) float64 {
	weights := c.scaledWeights()
	exponent := squareUnit(weights, a, b)
	meanSquare := sumOfSquares(a, b, weights, exponent) / float64(len(c.Y))
	return math.Ldexp(math.Sqrt(meanSquare), exponent)
}

// sumOfSquares returns Σ w(a−b)², with a and b divided by 2^exponent, which squareUnit chooses so that
// the squares do not overflow. Without weights, w is 1.
func sumOfSquares(a, b, weights []float64, exponent int) float64 {
	var sum float64
	for i := range a {
		difference := math.Ldexp(a[i], -exponent) - math.Ldexp(b[i], -exponent)
		sum += weighted(weights, i, float64(difference*difference))
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

// sumOfDeviations returns Σ w(y−ȳ)², with y divided by 2^exponent, for weights with a mean of 1.
// It subtracts the first value with a weight above 0 before it forms the mean, so that the sum is
// exactly 0 if y is constant.
func sumOfDeviations(y, weights []float64, exponent int) float64 {
	firstRow := max(0, slices.IndexFunc(weights, func(w float64) bool { return w > 0 })) // 0 without weights
	first := math.Ldexp(y[firstRow], -exponent)
	var meanShift float64 // mean of y minus first
	for i, v := range y {
		meanShift += weighted(weights, i, math.Ldexp(v, -exponent)-first)
	}
	meanShift /= float64(len(y))
	var sum float64
	for i, v := range y {
		deviation := math.Ldexp(v, -exponent) - first - meanShift
		sum += weighted(weights, i, float64(deviation*deviation))
	}
	return sum
}

// squareUnit returns an exponent e for which all values with a weight above 0 are below 2^e in size.
// Divided by 2^e they are below 1, so their squares do not overflow. Scaling by a power of 2 is exact.
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
