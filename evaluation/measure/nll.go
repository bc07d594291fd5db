package measure

import "sml/internal/portable"

var nll = Measure{
	Name:       "nll",
	Title:      "NLL",
	Summary:    "negative log-likelihood: −log of the predicted density at the target",
	Formula:    "mean −log p(y) − ½ log 2π; for N(μ, σ²): ½ log(σ² + 1e-10) + (y − μ)²/(2σ² + 1e-10)",
	Convention: "without the constant ½ log 2π, as in the paper. In the unit of a transformed target it needs a density there, which does not exist with quantile-normal, or with sqrt if a target is 0. Bounds of the target do not change it",
	Source:     "Sicking et al., second-moment loss, appendix \"Evaluation measures\", and its notebook",
	Unit:       LogTarget,
	Needs:      []Part{Density},
	Compute: func(c *Column) float64 {
		if c.Distributions != nil {
			return c.Average(func(row int) float64 { return -c.Distributions[row].LogDensity(c.Y[row]) - halfLogTwoPi })
		}
		return c.Average(c.normalNLL)
	},
}

// normalNLL returns the negative log-likelihood of a row under N(mean, std²), without the constant.
func (c *Column) normalNLL(row int) float64 {
	variance := float64(c.Std[row] * c.Std[row])
	difference := c.Y[row] - c.Mean[row]
	return float64(0.5*portable.Log(variance+nllFloor)) + float64(difference*difference)/(float64(2*variance)+nllFloor)
}

// nllFloor is added to σ² in the logarithm and to 2σ² in the quotient of the NLL, as in the
// paper's notebook, so that both are finite for σ = 0.
const nllFloor = 1e-10
