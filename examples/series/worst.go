package main

import (
	"math"

	"sml/evaluation/measure"
)

// init registers the measure "worst". Unit says how a score changes with the unit of the target, and Needs
// which parts of a prediction the measure reads.
func init() {
	measure.Register(measure.Measure{
		Name:    "worst",
		Title:   "worst",
		Summary: "largest error of the mean",
		Formula: "max |μ − y|",
		Source:  "scikit-learn, max_error",
		Unit:    measure.Target,
		Needs:   []measure.Part{measure.Mean},
		Compute: largestError,
	})
}

// largestError returns the largest distance of a target from its predicted mean.
func largestError(c *measure.Column) float64 {
	largest := 0.0
	for i, y := range c.Y {
		largest = max(largest, math.Abs(c.Mean[i]-y))
	}
	return largest
}
