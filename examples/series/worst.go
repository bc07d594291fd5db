package main

import (
	"math"

	"sml/evaluation/measure"
)

func init() {
	measure.Register(measure.Measure{
		Name: "worst", Title: "worst", Summary: "largest error of the mean", Formula: "max |μ − y|", Source: "scikit-learn, max_error",
		Unit: measure.Target, Needs: []measure.Part{measure.Mean},
		Compute: func(c *measure.Column) float64 {
			worst := 0.0
			for i, y := range c.Y {
				worst = max(worst, math.Abs(c.Mean[i]-y))
			}
			return worst
		},
	})
}
