package measure

import (
	"sml/internal/portable"
	"sml/models/distribution"
)

// Interval returns a function that returns the central interval of a row: from the quantile at
// (1 − coverage)/2 to the quantile at (1 + coverage)/2, for a coverage between 0 and 1. It returns
// false if the predictions have no distribution function.
func (c *Column) Interval(coverage float64) (limits func(row int) (low, high float64), ok bool) {
	lowerLevel, upperLevel := intervalLevels(coverage)
	if c.Distributions != nil {
		limits = func(row int) (float64, float64) {
			return c.Distributions[row].Quantile(lowerLevel), c.Distributions[row].Quantile(upperLevel)
		}
		return limits, c.hasPart(CDF)
	}
	lowerZ := -portable.NormalQuantile(1 - lowerLevel) // the same for all rows
	upperZ := portable.NormalQuantile(upperLevel)
	limits = func(row int) (float64, float64) {
		return c.Mean[row] + float64(lowerZ*c.Std[row]), c.Mean[row] + float64(upperZ*c.Std[row])
	}
	return limits, c.Std != nil
}

// intervalLevels returns the quantile levels of the ends of a central interval.
func intervalLevels(coverage float64) (below, above float64) {
	above = float64((1 + coverage) / 2)
	return 1 - above, above
}

// CoveredFraction returns the fraction of the rows, by weight, whose targets are within limits,
// ends included.
func (c *Column) CoveredFraction(limits func(row int) (low, high float64)) float64 {
	return c.Average(c.rowCovered(limits))
}

// rowCovered returns a function that returns 1 for a row whose target is within limits, ends included, and
// otherwise 0.
func (c *Column) rowCovered(limits func(row int) (low, high float64)) func(row int) float64 {
	return func(row int) float64 {
		low, high := limits(row)
		if low <= c.Y[row] && c.Y[row] <= high {
			return 1
		}
		return 0
	}
}

// rowCoveredBy returns a function that returns 1 for a row whose target is in its interval of a coverage, or in its set
// of classes, and otherwise 0.
func (c *Column) rowCoveredBy(coverage float64) func(row int) float64 {
	if !c.hasSets() {
		limits, _ := c.Interval(coverage)
		return c.rowCovered(limits)
	}
	return func(row int) float64 {
		if c.Distributions[row].(distribution.ClassSets).Set(coverage)[int(c.Y[row])] {
			return 1
		}
		return 0
	}
}

// rowWidth returns a function that returns the width of a row's interval of a coverage, or the number of classes in its
// set.
func (c *Column) rowWidth(coverage float64) func(row int) float64 {
	if !c.hasSets() {
		limits, _ := c.Interval(coverage)
		return func(row int) float64 {
			low, high := limits(row)
			return high - low
		}
	}
	return func(row int) float64 {
		size := 0.0
		for _, isIn := range c.Distributions[row].(distribution.ClassSets).Set(coverage) {
			if isIn {
				size++
			}
		}
		return size
	}
}
