package measure

import "fmt"

// widthOf is the measure of how wide a central interval is.
func widthOf(percent float64) Measure {
	nominal := percent / 100
	return Measure{
		Name: fmt.Sprintf("width%v", percent), Title: fmt.Sprintf("Width %v", percent),
		Summary:    fmt.Sprintf("mean width of the central %v %% interval", percent),
		Formula:    fmt.Sprintf("mean distance of the quantiles at %v and %v", round(1-(1+nominal)/2), round((1+nominal)/2)),
		Convention: "of two that cover alike the narrower is the better. The quantiles are those that the coverage is of; infinite as soon as one of them is",
		Source:     "Khosravi et al. (2011), Comprehensive review of neural network-based prediction intervals (MPIW)",
		Unit:       Target, Undirected: true, Needs: []Part{IntervalOf(nominal)}, OnRequest: percent != usualPercent,
		Of: func(c *Column) float64 {
			limits, _ := c.Interval(nominal)
			return c.Average(func(row int) float64 {
				low, high := limits(row)
				return high - low
			})
		},
	}
}
