package measure

import (
	"math"
	"slices"
)

// errorSizes are the |μ − y| of all rows.
func (c *Column) errorSizes() []float64 {
	sizes := make([]float64, len(c.Y))
	for i := range sizes {
		sizes[i] = math.Abs(c.Mean[i] - c.Y[i])
	}
	return sizes
}

// correlation is Pearson's of two columns, by weights with a mean of 1 or nil: 0 where
// one of them does not vary, and NaN of fewer than two rows that count.
func (c *Column) correlation(a, b []float64) float64 {
	if c.counted() < 2 {
		return math.NaN()
	}
	weights := c.scaled()
	a, b = centre(a, weights), centre(b, weights)
	var aa, ab, bb float64
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

// centred are values less their mean, in a unit in which they are about 1 in size.
// Differences are taken from a value that counts first, so that those of a constant
// column are exactly zero.
func centre(values, weights []float64) []float64 {
	at := max(0, slices.IndexFunc(weights, func(w float64) bool { return w > 0 }))
	values = rescale(values, weights)
	first := values[at]
	for i := range values {
		values[i] -= first
	}
	values = rescale(values, weights) // what is left may be small
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

// inUnit are values in the unit of unitOf.
func rescale(values, weights []float64) []float64 {
	unit := unitOf(weights, values)
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Ldexp(v, -unit)
	}
	return out
}

// midranks are the places of values among all, by weights: what weighs less than a
// value and half of what weighs as much.
func midranks(values, weights []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compareValues(values))
	ranks := make([]float64, len(values))
	below := 0.0
	for len(order) > 0 {
		same := leadingTies(order, values)
		here := 0.0
		for _, i := range same {
			here += weighted(weights, i, 1)
		}
		for _, i := range same {
			ranks[i] = below + float64(here/2)
		}
		below += here
		order = order[len(same):]
	}
	return ranks
}

// byValue compares places by what stands there.
func compareValues(values []float64) func(i, j int) int {
	return func(i, j int) int {
		switch {
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	}
}

// equalAtBegin are the first places of an order, as far as values are the same.
func leadingTies(order []int, values []float64) []int {
	n := 1
	for n < len(order) && values[order[n]] == values[order[0]] {
		n++
	}
	return order[:n]
}
