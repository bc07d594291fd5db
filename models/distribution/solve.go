package distribution

import (
	"math"
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// bracket is an interval that contains the solution of an equation.
type bracket struct{ low, high float64 }

// solveQuantile returns the y with CDF(y) = level of a distribution with a density, which is the slope
// of the CDF. It takes Newton steps from start, and halves the bracket where a step would leave it.
// CDF(bounds.low) must be at most level, and CDF(bounds.high) at least level: every step keeps this
// true while the bracket shrinks.
func solveQuantile(d Distribution, level float64, bounds bracket, start float64) float64 {
	const maxSteps = 200    // bisection alone needs fewer
	const tolerance = 1e-14 // relative to y
	y := min(max(start, bounds.low), bounds.high)
	for range maxSteps {
		excess := d.CDF(y) - level
		if excess == 0 {
			return y
		}
		if excess > 0 {
			bounds.high = y
		} else {
			bounds.low = y
		}
		next := y - float64(excess/portable.Exp(d.LogDensity(y)))
		isInside := next > bounds.low && next < bounds.high // false for NaN
		if !isInside {
			next = bounds.low + float64((bounds.high-bounds.low)/2)
		}
		isNarrowest := next == bounds.low || next == bounds.high // no number lies between the bounds
		if isNarrowest || math.Abs(next-y) <= float64(tolerance*math.Abs(y)) {
			return next
		}
		y = next
	}
	return y
}

// bisectQuantiles returns the solution of cdf(y) = level between low and high for each level. Each level has an equal
// number of neighbouring columns of low and high.
func bisectQuantiles(b *graph.Builder, levels []float64, low, high *graph.Node, cdf func(y *graph.Node) *graph.Node) graph.Nodes {
	const bisections = 40 // each halves the error, to 1e-12 of the distance between the bounds
	level := constantRow(b, levels, low.Shape()[1])
	halve := func(bounds graph.Nodes) graph.Nodes {
		lower, upper := bounds[0], bounds[1]
		middle := b.Scale(0.5, b.Add(lower, upper))
		isTooHigh := b.Greater(cdf(middle), level)
		return graph.Nodes{b.Where(isTooHigh, lower, middle), b.Where(isTooHigh, middle, upper)}
	}
	bounds := b.Iterate(bisections, graph.Nodes{low, high}, halve)
	middle := b.Scale(0.5, b.Add(bounds[0], bounds[1]))
	return b.Split(middle, len(levels))
}

// sampleByQuantile returns a random number with distribution d: the quantile at a random level
// between 0 and 1, both excluded, since a quantile at 0 or 1 may be infinite.
func sampleByQuantile(d Distribution, r *rand.Rand) float64 {
	level := r.Float64() // below 1, but possibly 0
	for level == 0 {
		level = r.Float64()
	}
	return d.Quantile(level)
}
