package distribution

import (
	"math"
	"math/rand/v2"

	"sml/internal/portable"
)

// bracket is an interval that contains the solution of an equation.
type bracket struct{ low, high float64 }

// solveQuantile returns the y with CDF(y) = level of a distribution with a density. It takes Newton
// steps from start, and halves the bracket where a step would leave it. CDF(low) is at most level,
// and CDF(high) is at least level.
func solveQuantile(d Distribution, level float64, within bracket, start float64) float64 {
	const maxSteps = 200    // bisection alone needs fewer
	const tolerance = 1e-14 // relative to y
	y := min(max(start, within.low), within.high)
	for range maxSteps {
		excess := d.CDF(y) - level
		if excess == 0 {
			return y
		}
		if excess > 0 {
			within.high = y
		} else {
			within.low = y
		}
		next := y - float64(excess/portable.Exp(d.LogDensity(y)))
		if !(next > within.low && next < within.high) {
			next = within.low + float64((within.high-within.low)/2)
		}
		if next == within.low || next == within.high || math.Abs(next-y) <= float64(tolerance*math.Abs(y)) {
			return next
		}
		y = next
	}
	return y
}

// sampleByQuantile returns a random number with distribution d: the quantile at a random level
// between 0 and 1, both excluded.
func sampleByQuantile(d Distribution, r *rand.Rand) float64 {
	level := r.Float64()
	for level == 0 {
		level = r.Float64()
	}
	return d.Quantile(level)
}
