package measure

import (
	"math"

	"sml/internal/portable"
)

var crps = Measure{
	Name: "crps", Title: "CRPS",
	Summary: "continuous ranked probability score of N(μ, σ²)",
	Formula: "mean of σ (r (2Φ(r) − 1) + 2φ(r) − 1/√π), φ the density of N(0, 1)",
	Convention: "less is better; with σ = 0 it is |μ − y|, and σ is never padded, under the paper protocol neither. " +
		"In the unit of a transformed target it is twice the mean pinball loss of the target's quantiles at the levels 0.0025, 0.0075, …, 0.9975",
	Source: "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 21, with the opposite sign",
	Unit:   Target, Needs: []Part{Mean, Std},
	Of: func(c *Column) float64 {
		if t := c.Transformed; t != nil {
			return c.Average(func(i int) float64 { return t.crps(i, c.Y[i]) })
		}
		return c.Average(func(i int) float64 {
			d, s := c.Mean[i]-c.Y[i], c.Std[i]
			if s == 0 {
				return math.Abs(d)
			}
			r := d / s // may be infinite: its products are taken with d
			return float64(d*portable.Erf(r/math.Sqrt2)) + float64(s*(float64(2*portable.NormalPDF(r))-1/math.Sqrt(math.Pi)))
		})
	},
}
