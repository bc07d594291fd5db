package measure

import "sml/models/distribution"

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
