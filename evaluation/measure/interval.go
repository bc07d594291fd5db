package measure

import (
	"math"

	"sml/internal/portable"
)

// Interval returns the central interval of a coverage between 0 and 1, row by row: between
// the quantiles at (1 − coverage)/2 and (1 + coverage)/2. Without a CDF there is none (ok is
// false).
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

// ends are the levels of the ends of a central interval.
func intervalLevels(coverage float64) (below, above float64) {
	above = float64((1 + coverage) / 2)
	return 1 - above, above
}

// covered is the share of the rows, by their weights, whose targets are within limits.
func (c *Column) coveredFraction(limits func(row int) (low, high float64)) float64 {
	return c.Average(func(row int) float64 {
		if low, high := limits(row); low <= c.Y[row] && c.Y[row] <= high {
			return 1
		}
		return 0
	})
}

// levelAt is the place of a level among others, −1 if it is not among them.
func indexOfLevel(levels []float64, level float64) int {
	for i, l := range levels {
		if math.Abs(l-level) < 1e-9 {
			return i
		}
	}
	return -1
}
