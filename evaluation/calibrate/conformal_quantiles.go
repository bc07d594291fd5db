package calibrate

import (
	"math"
	"slices"
)

// fitQuantileShifts returns the number that is added to the quantiles of each level. A pair of
// levels p and 1 − p is moved apart, or together, by one number: the ⌈(n + 1)(1 − 2p)⌉-th smallest
// of the distances by which the targets are outside of the pair (negative inside). A level without
// a counterpart is moved by its own distances, and the median stays.
//
// Source: Romano, Patterson & Candès (2019), Conformalized quantile regression.
func fitQuantileShifts(s QuantileSample) []float64 {
	shifts := make([]float64, len(s.Levels))
	for i, level := range s.Levels {
		if math.Abs(level-0.5) < 1e-9 {
			continue
		}
		opposite := slices.IndexFunc(s.Levels, func(other float64) bool { return math.Abs(level+other-1) < 1e-9 })
		coverage := math.Max(level, 1-level)
		if opposite >= 0 {
			coverage = math.Abs(level - s.Levels[opposite])
		}
		distances := s.distancesOutside(i, opposite)
		slices.Sort(distances)
		rank := ceilTolerant(float64(coverage * float64(len(distances)+1)))
		rank = max(1, min(rank, len(distances)))
		shifts[i] = math.Copysign(1, level-0.5) * distances[rank-1]
	}
	return shifts
}

// distancesOutside returns how far each target is outside of the quantile at a level, or, if there
// is an opposite level (not −1), of the interval between both.
func (s QuantileSample) distancesOutside(level, opposite int) []float64 {
	distances := make([]float64, len(s.Y))
	for row, y := range s.Y {
		quantiles := s.Quantiles[row]
		distances[row] = distanceOutside(y, quantiles[level], s.Levels[level])
		if opposite >= 0 {
			distances[row] = math.Max(distances[row], distanceOutside(y, quantiles[opposite], s.Levels[opposite]))
		}
	}
	return distances
}

// distanceOutside returns how far y is above an upper quantile, or below a lower one.
func distanceOutside(y, quantile, level float64) float64 {
	if level > 0.5 {
		return y - quantile
	}
	return quantile - y
}
