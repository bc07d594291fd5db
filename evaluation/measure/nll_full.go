package measure

import (
	"math"

	"sml/models/distribution"
)

var nllFull = Measure{
	Name:       "nll-full",
	Title:      "NLL 2π",
	Summary:    "negative log-likelihood with its constant, and with nothing added to σ²",
	Formula:    "mean −log p(y); for N(μ, σ²): ½ log 2π + log σ + (y − μ)²/(2σ²)",
	Convention: "NLL + 0.9189; other programs call this NLL. The difference is larger where σ is below 1e-4, because nothing is added to σ² here. ∞ if a row has σ = 0 and a wrong mean; −∞ if rows have σ = 0 and all their means are exact",
	Source:     "SciPy, −norm.logpdf; uncertainty-toolbox, nll_gaussian",
	Unit:       LogTarget,
	Needs:      []Part{Density},
	OnRequest:  true,
	Compute: func(c *Column) float64 {
		for row, y := range c.Y {
			isImpossible := math.IsInf(c.Distribution(row).LogDensity(y), -1)
			if c.Weight(row) > 0 && isImpossible {
				return math.Inf(1) // even if other rows have −∞, with which the mean would be NaN
			}
		}
		return c.Average(func(row int) float64 { return -c.Distribution(row).LogDensity(c.Y[row]) })
	},
}

// Distribution returns the predicted distribution of a row.
func (c *Column) Distribution(row int) distribution.Distribution {
	if c.Distributions != nil {
		return c.Distributions[row]
	}
	return distribution.NewNormal(c.Mean[row], c.Std[row])
}
