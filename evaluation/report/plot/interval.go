package plot

import (
	"fmt"
	"math"

	"sml/evaluation/measure"
)

// coverage is that of the intervals that are shown, where a method has such.
const coverage = 0.9

const noInterval = "the predictions have neither a standard deviation nor quantiles of an interval"

// intervalOf returns the central interval of a column: of 90 %, or, of quantiles among
// which it is not, of the outermost pair.
func intervalOf(c *measure.Column) (limits func(row int) (low, high float64), covers float64, ok bool) {
	if limits, ok = c.Interval(coverage); ok {
		return limits, coverage, true
	}
	pair, ok := measure.CentralPair(c.Levels)
	if !ok {
		return nil, 0, false
	}
	return func(row int) (float64, float64) { return c.Quantiles[row][pair[0]], c.Quantiles[row][pair[1]] }, c.Levels[pair[1]] - c.Levels[pair[0]], true
}

// uncertainty is what rows are put in order by: the standard deviation, or the width of
// the interval of quantiles.
func uncertainty(c *measure.Column) (values []float64, name string, ok bool) {
	if c.Std != nil {
		return c.Std, "σ", true
	}
	limits, _, ok := intervalOf(c)
	if !ok {
		return nil, "", false
	}
	values = make([]float64, len(c.Y))
	for row := range values {
		low, high := limits(row)
		values[row] = high - low
	}
	return values, "width of the interval", true
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
