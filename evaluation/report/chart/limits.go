package chart

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"sml/evaluation"
)

// Fences returns limits of an axis for a few scores. They contain all scores except outliers, which are
// farther beyond a quartile than 1.5 times the distance of the quartiles (Tukey 1977, Exploratory data
// analysis). If no score is negative, the axis begins at 0. Values that cannot be drawn are ignored (see
// IsDrawable); without others, the limits are 0 and 1.
func Fences(values []float64) (low, high float64) {
	const reachInQuartileDistances = 1.5
	sorted := sortDrawable(values)
	if len(sorted) == 0 {
		return 0, 1
	}
	minimum := sorted[0]
	maximum := sorted[len(sorted)-1]
	lowerQuartile := stat.Quantile(0.25, stat.Empirical, sorted, nil)
	upperQuartile := stat.Quantile(0.75, stat.Empirical, sorted, nil)
	reach := reachInQuartileDistances * (upperQuartile - lowerQuartile)
	low, high = evaluation.SnapLimits(lowerQuartile-reach, upperQuartile+reach, minimum, maximum)
	if minimum >= 0 {
		low = 0
	}
	return Widen(low, high)
}

// Quantiles returns limits that contain the given fraction of many values, from 0 to 1. As many values are
// below the limits as above them.
func Quantiles(values []float64, fraction float64) (low, high float64) {
	return Widen(evaluation.CentralLimits(values, fraction))
}

// Widen returns the range, or a wider range around it if its width is 0 or too small for ticks.
func Widen(low, high float64) (float64, float64) {
	if isWideEnough(low, high) {
		return low, high
	}
	border := max(1, math.Abs(low)/2)
	return max(low-border, -math.MaxFloat64), min(high+border, math.MaxFloat64)
}

// AddBorder widens a range at both ends by a fraction of it.
func AddBorder(low, high, fraction float64) (wideLow, wideHigh float64) {
	border := fraction * (high - low)
	return low - border, high + border
}

// IsDrawable reports whether a value can be drawn. It returns false for NaN. The bound is below the
// largest float64, so that sums, differences and small multiples of a few values stay finite.
func IsDrawable(x float64) bool {
	const maxDrawable = 1e300
	return math.Abs(x) <= maxDrawable
}

// sortDrawable returns the values that can be drawn, ascending.
func sortDrawable(values []float64) []float64 {
	drawable := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !IsDrawable(v) })
	slices.Sort(drawable)
	return drawable
}
