package plot

import (
	"fmt"
	"math"

	"sml/evaluation/measure"
)

// coverage is the probability of the intervals that plots show.
const coverage = 0.9

const noInterval = "the predictions have no standard deviation"

// hasDistribution reports whether the predictions are distributions.
func hasDistribution(c *measure.Column) bool {
	_, ok := c.Interval(coverage)
	return ok
}

// covered is the share of the rows, by their weights, that are within limits.
func covered(c *measure.Column, limits func(row int) (low, high float64)) float64 {
	return c.Average(func(row int) float64 {
		if low, high := limits(row); low <= c.Y[row] && c.Y[row] <= high {
			return 1
		}
		return 0
	})
}

// percent writes a share.
func percent(share float64) string {
	return fmt.Sprintf("%v %%", math.Round(share*1000)/10)
}
