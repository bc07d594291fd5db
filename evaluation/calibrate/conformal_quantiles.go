package calibrate

import (
	"math"
	"slices"
)

// fitQuantileShifts returns, for each level, the number to add to the quantiles. The quantiles of two
// levels p and 1 − p are moved apart, or towards each other, by the same number: the
// ⌈(n + 1)(1 − 2p)⌉-th smallest of the n distances by which the targets are outside of the interval
// between them (negative inside). A level without such an opposite is moved by the distances of its own
// quantile, and the median is not moved.
//
// Source: Romano, Patterson & Candès (2019), Conformalized quantile regression.
func fitQuantileShifts(s QuantileSample) []float64 {
	shifts := make([]float64, len(s.Levels))
	weights := meanWeights(s.Weights)
	for i, level := range s.Levels {
		if isMedian(level) {
			continue
		}
		coverage, opposite := pairOf(s.Levels, i)
		distances := s.distancesOutside(i, opposite)
		if weights != nil {
			distance := newWeightedScores(distances, weights).withOwn(1).AtOrAbove(coverage)
			shifts[i] = math.Copysign(1, level-0.5) * min(distance, slices.Max(distances))
			continue
		}
		slices.Sort(distances)
		rank := ceilTolerant(float64(coverage * float64(len(distances)+1))) // at most len(distances): Options.Covering
		shifts[i] = math.Copysign(1, level-0.5) * distances[rank-1]
	}
	return shifts
}

// isMedian reports whether a level is 0.5, up to rounding.
func isMedian(level float64) bool { return math.Abs(level-0.5) < 1e-9 }

// pairOf returns the coverage between the level with index i and its opposite level, and the index of the opposite
// level. Without an opposite, the index is −1 and the coverage is that on the longer side of the level.
func pairOf(levels []float64, i int) (coverage float64, opposite int) {
	level := levels[i]
	opposite = slices.IndexFunc(levels, func(other float64) bool { return math.Abs(level+other-1) < 1e-9 })
	if opposite < 0 {
		return math.Max(level, 1-level), opposite
	}
	return math.Abs(level - levels[opposite]), opposite
}

// distancesOutside returns how far each target is outside of the interval between the quantiles of two
// levels, or beyond the quantile of one level if opposite is −1. level and opposite are indices in Levels.
// A distance is negative if the target is inside.
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

// distanceOutside returns how far y is above an upper quantile, or below a lower one; it is negative on
// the other side.
func distanceOutside(y, quantile, level float64) float64 {
	if level > 0.5 {
		return y - quantile
	}
	return quantile - y
}
