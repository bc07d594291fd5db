package measure

import (
	"math"

	"sml/models/distribution"
)

var nllFull = Measure{
	Name: "nll-full", Title: "NLL 2π",
	Summary:    "negative log-likelihood with its constant and without a floor",
	Formula:    "mean −log p(y); for N(μ, σ²): ½ log 2π + log σ + (y − μ)²/(2σ²)",
	Convention: "NLL + 0.9189, which other programs call NLL; nothing is added to σ² here",
	Source:     "SciPy, −norm.logpdf; uncertainty-toolbox, nll_gaussian",
	Unit:       LogTarget, Needs: []Part{Density}, OnRequest: true,
	Compute: func(c *Column) float64 {
		for i, y := range c.Y {
			if c.weightOf(i) > 0 && math.IsInf(c.distribution(i).LogDensity(y), -1) {
				return math.Inf(1) // whatever exact rows say, −∞ among them
			}
		}
		return c.Average(func(i int) float64 { return -c.distribution(i).LogDensity(c.Y[i]) })
	},
}

// distribution returns the predicted distribution of a row.
func (c *Column) distribution(row int) distribution.Distribution {
	if c.Distributions != nil {
		return c.Distributions[row]
	}
	return distribution.NewNormal(c.Mean[row], c.Std[row])
}
