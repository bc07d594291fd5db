package measure

import (
	"math"

	"sml/internal/portable"
)

// Interval returns a function that returns the central interval of a row: from the quantile at
// (1 − coverage)/2 to the quantile at (1 + coverage)/2, for a coverage between 0 and 1. It returns
// false if the predictions have no distribution function.
func (c *Column) Interval(coverage float64) (limits func(row int) (low, high float64), ok bool) {
	below, above := intervalLevels(coverage)
	if c.Distributions != nil {
		return func(row int) (float64, float64) {
			return c.Distributions[row].Quantile(below), c.Distributions[row].Quantile(above)
		}, c.hasPart(CDF)
	}
	low, high := -portable.NormalQuantile(1-below), portable.NormalQuantile(above) // once for all rows
	return func(row int) (float64, float64) {
		return c.Mean[row] + float64(low*c.Std[row]), c.Mean[row] + float64(high*c.Std[row])
	}, c.Std != nil
}

// intervalLevels returns the quantile levels of the ends of a central interval.
func intervalLevels(coverage float64) (below, above float64) {
	above = float64((1 + coverage) / 2)
	return 1 - above, above
}

// coveredFraction returns the fraction of the rows, by weight, whose targets are within limits,
// ends included.
func (c *Column) coveredFraction(limits func(row int) (low, high float64)) float64 {
	return c.Average(func(row int) float64 {
		if low, high := limits(row); low <= c.Y[row] && c.Y[row] <= high {
			return 1
		}
		return 0
	})
}

// indexOfLevel returns the index of a level in levels, −1 if it is not there. Levels are equal if
// they differ by less than 1e-9.
func indexOfLevel(levels []float64, level float64) int {
	for i, l := range levels {
		if math.Abs(l-level) < 1e-9 {
			return i
		}
	}
	return -1
}
