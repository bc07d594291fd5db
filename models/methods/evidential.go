package methods

import (
	"math"

	"sml/data/portable"
	"sml/graph"
	"sml/models"
)

var evidential = models.Method{
	Name:      "evidential",
	Title:     "Evidential",
	Summary:   "the network puts out a distribution over mean and variance; wrong evidence is punished",
	Source:    "Amini et al. 2020, equations 8 and 9",
	Objective: Evidential,
	Hyperparameters: []models.Hyperparameter{
		{Name: "lambda", Default: 0.01, Range: lossWeight, Help: "weight of the evidence of wrong predictions"},
	},
	Outputs: 4,
	Predict: func(d models.Moments) models.Prediction {
		positive := func(i int) float64 { return max(portable.Softplus(d.Full[i]), minEvidence) }
		nu, alpha1, beta := positive(1), positive(2), positive(3) // α − 1
		return models.Prediction{Mean: d.Full[0], Std: math.Sqrt(beta / alpha1 * (1 + 1/nu))}
	},
}

// minEvidence keeps ν, α − 1 and β where the predicted variance is finite.
const minEvidence = 1e-6

// Evidential is the mean of the negative log marginal likelihood of a normal-inverse-gamma
// distribution, with γ, ν = softplus, α = 1 + softplus, β = softplus and Ω = 2β(1 + ν),
//
//	½ log(π/ν) − α log Ω + (α + ½) log((y − γ)²ν + Ω) + log Γ(α) − log Γ(α + ½)
//
// and of λ |y − γ| (2ν + α). The predicted variance is that of the data, β/(α − 1), and
// of the mean, β/(ν(α − 1)).
func Evidential(b *graph.Builder, t *models.Task) *graph.Node {
	out := Outputs(b, t)
	positive := func(i int) *graph.Node { return b.ClampMin(b.Softplus(out[i]), minEvidence) }
	nu, alpha, beta := positive(1), b.AddConst(positive(2), 1), positive(3)
	e, halfMore := b.Sub(t.Y, out[0]), b.AddConst(alpha, 0.5)
	omega := b.Scale(2, b.Mul(beta, b.AddConst(nu, 1)))
	nll := b.Sub(b.Scale(-0.5, b.Log(b.Scale(1/math.Pi, nu))), b.Mul(alpha, b.Log(omega)))
	nll = b.Add(nll, b.Mul(halfMore, b.Log(b.Add(b.Mul(b.Square(e), nu), omega))))
	nll = b.Add(nll, b.Sub(b.LogGamma(alpha), b.LogGamma(halfMore)))
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: t.Mean(nll)},
		t.Term("evidence", "lambda", t.Mean(b.Mul(b.Abs(e), b.Add(b.Scale(2, nu), alpha)))),
	)
}
