package measure

import (
	"math"
	"slices"
)

// correlation returns Pearson's weighted correlation of two columns of values, one of each for every row.
// It is 0 if one column is constant, and NaN for fewer than two rows with a weight above 0.
func (c *Column) correlation(a, b []float64) float64 {
	if c.countWeighted() < 2 {
		return math.NaN()
	}
	weights := c.scaledWeights()
	a = centre(a, weights)
	b = centre(b, weights)
	var aa, ab, bb float64 // weighted sums of products
	for i := range a {
		aa += weighted(weights, i, float64(a[i]*a[i]))
		ab += weighted(weights, i, float64(a[i]*b[i]))
		bb += weighted(weights, i, float64(b[i]*b[i]))
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return max(-1, min(1, ab/math.Sqrt(aa)/math.Sqrt(bb)))
}

// centre returns the values minus their weighted mean, scaled by a power of 2 to a size of about
// 1, so that squares neither overflow nor underflow; a correlation does not depend on the scale. It
// subtracts the first value with a weight above 0 before it forms the mean, so that a constant column
// becomes exactly 0.
func centre(values, weights []float64) []float64 {
	firstRow := max(0, slices.IndexFunc(weights, func(w float64) bool { return w > 0 }))
	values = rescale(values, weights)
	first := values[firstRow]
	for i := range values {
		values[i] -= first
	}
	values = rescale(values, weights) // the differences may be small
	mean := 0.0
	for i, v := range values {
		mean += weighted(weights, i, v)
	}
	mean /= float64(len(values))
	for i := range values {
		values[i] -= mean
	}
	return values
}

// rescale returns the values divided by the power of 2 that squareUnit chooses, so that all are below 1
// in size.
func rescale(values, weights []float64) []float64 {
	exponent := squareUnit(weights, values)
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Ldexp(v, -exponent)
	}
	return out
}

// midranks returns the weighted rank of each value: the weight of all smaller values plus half the
// weight of equal values, including itself. Nil weights count each value as 1. Values with a weight of 0 have no rank: 0.
func midranks(values, weights []float64) []float64 {
	ranks := make([]float64, len(values))
	below := 0.0
	for ties := range tiedRows(values, weights) {
		tiesWeight := 0.0
		for _, i := range ties {
			tiesWeight += weighted(weights, i, 1)
		}
		for _, i := range ties {
			ranks[i] = below + float64(tiesWeight/2)
		}
		below += tiesWeight
	}
	return ranks
}

// AbsoluteErrors returns |μ − y| of all rows.
func (c *Column) AbsoluteErrors() []float64 {
	errors := make([]float64, len(c.Y))
	for i := range errors {
		errors[i] = math.Abs(c.Mean[i] - c.Y[i])
	}
	return errors
}
