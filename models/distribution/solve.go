package distribution

import (
	"math"
	"math/rand/v2"

	"sml/internal/portable"
)

// solveQuantile returns the y with CDF(y) = level of a distribution with a density, by
// Newton's steps from start, and by halving where a step leaves the bracket [low, high].
// The CDF is at most level at low, and at least level at high.
func solveQuantile(d Distribution, level, low, high, start float64) float64 {
	y := min(max(start, low), high)
	for range 200 {
		off := d.CDF(y) - level
		if off == 0 {
			return y
		}
		if off > 0 {
			high = y
		} else {
			low = y
		}
		next := y - float64(off/portable.Exp(d.LogDensity(y)))
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		if next == low || next == high || math.Abs(next-y) <= float64(1e-14*math.Abs(y)) {
			return next
		}
		y = next
	}
	return y
}

// sampleByQuantile returns the quantile at a random level between 0 and 1.
func sampleByQuantile(d Distribution, r *rand.Rand) float64 {
	level := r.Float64()
	for level == 0 {
		level = r.Float64()
	}
	return d.Quantile(level)
}
