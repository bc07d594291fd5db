package measure

import "sml/internal/portable"

var nll = Measure{
	Name: "nll", Title: "NLL",
	Summary:    "negative log-likelihood: −log of the predicted density at the target",
	Formula:    "mean −log p(y) − ½ log 2π; for N(μ, σ²): ½ log(σ² + 1e-10) + (y − μ)²/(2σ² + 1e-10)",
	Convention: "without the constant ½ log 2π, as in the paper",
	Source:     "Sicking et al., second-moment loss, appendix \"Evaluation measures\", and its notebook",
	Unit:       LogTarget, Needs: []Part{Density},
	Compute: func(c *Column) float64 {
		if c.Distributions != nil {
			return c.Average(func(i int) float64 { return -c.Distributions[i].LogDensity(c.Y[i]) - halfLogTwoPi })
		}
		return c.Average(func(i int) float64 {
			variance, d := float64(c.Std[i]*c.Std[i]), c.Y[i]-c.Mean[i]
			return float64(0.5*portable.Log(variance+nllFloor)) + float64(d*d)/(float64(2*variance)+nllFloor)
		})
	},
}

// nllFloor is added to σ² in the logarithm and to 2σ² in the quotient of the NLL, as in the
// paper's notebook, so that both are finite for σ = 0.
const nllFloor = 1e-10
