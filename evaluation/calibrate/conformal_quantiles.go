package calibrate

import (
	"math"
	"slices"
)

// conformalised widens quantiles, or narrows them: each pair of levels p and 1 − p by
// one number, the ⌈(n + 1)(1 − 2p)⌉-th of how far the targets are outside of them
// (inside: below 0), and a level without its counterpart by itself. The median stays.
func fitQuantileShifts(s QuantileSample) []float64 {
	shifts := make([]float64, len(s.Levels))
	for i, level := range s.Levels {
		if math.Abs(level-0.5) < 1e-9 {
			continue
		}
		j := slices.IndexFunc(s.Levels, func(other float64) bool { return math.Abs(level+other-1) < 1e-9 })
		outside := make([]float64, len(s.Y))
		for row, y := range s.Y {
			q := s.Quantiles[row]
			outside[row] = distanceOutside(y, q[i], level)
			if j >= 0 {
				outside[row] = math.Max(outside[row], distanceOutside(y, q[j], s.Levels[j]))
			}
		}
		coverage := math.Max(level, 1-level)
		if j >= 0 {
			coverage = math.Abs(level - s.Levels[j])
		}
		slices.Sort(outside)
		at := ceilTolerant(float64(coverage * float64(len(outside)+1)))
		shifts[i] = math.Copysign(1, level-0.5) * outside[max(1, min(at, len(outside)))-1]
	}
	return shifts
}

// beyond is how far y is on the far side of a quantile.
func distanceOutside(y, q, level float64) float64 {
	if level > 0.5 {
		return y - q
	}
	return q - y
}
