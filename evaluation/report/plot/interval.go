package plot

import (
	"fmt"
	"math"

	"sml/evaluation/measure"
)

// coverage is the probability of the intervals that plots show.
const coverage = 0.9

const (
	noStd          = "the predictions have no standard deviation"
	noDistribution = "the predictions have no distribution"
)

// hasDistribution reports whether the predictions are distributions.
func hasDistribution(c *measure.Column) bool {
	_, ok := c.Interval(coverage)
	return ok
}

// observedCoverage returns the weighted fraction of the rows whose target is inside its interval.
func observedCoverage(c *measure.Column, interval func(row int) (low, high float64)) float64 {
	return c.Average(func(row int) float64 {
		low, high := interval(row)
		if low <= c.Y[row] && c.Y[row] <= high {
			return 1
		}
		return 0
	})
}

// percent formats a fraction as a percentage with at most one decimal.
func percent(fraction float64) string {
	return fmt.Sprintf("%v %%", math.Round(fraction*1000)/10)
}
