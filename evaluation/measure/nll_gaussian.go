package measure

import (
	"math"

	"sml/internal/portable"
)

var nllGaussian = Measure{
	Name: "nll-gaussian", Title: "NLL 2π",
	Summary: "negative log-likelihood of N(μ, σ²), with its constant and without a floor",
	Formula: "mean of ½ log 2π + log σ + (y − μ)²/(2σ²)",
	Convention: "what other programs call NLL: NLL + 0.9189 but where σ is below 1e-4, where NLL has the paper's 1e-10 and this has not. " +
		"Infinite as soon as a row has σ = 0 and a mean that is not exact; −∞ where all such means are. It is of N(μ, σ²) of calibrated predictions, too, and of the target's density where the target was transformed, as NLL is",
	Source: "SciPy, −norm.logpdf; uncertainty-toolbox, nll_gaussian",
	Unit:   LogTarget, Needs: []Part{Mean, Std}, OnRequest: true,
	Of: func(c *Column) float64 {
		n := c.normal()
		for i := range n.Y {
			if n.Std[i] == 0 && n.Mean[i] != n.Y[i] && (c.Weights == nil || c.Weights[i] > 0) {
				return math.Inf(1) // whatever exact rows say, −∞ among them
			}
		}
		return c.Average(func(i int) float64 {
			if n.Std[i] == 0 {
				return math.Inf(-1)
			}
			r := (n.Y[i] - n.Mean[i]) / n.Std[i]
			return halfLog2Pi + portable.Log(n.Std[i]) + float64(float64(r*r)/2) - c.logSlope(i)
		})
	},
}

const halfLog2Pi = 0.91893853320467274178 // ½ log 2π
