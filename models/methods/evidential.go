package methods

import (
	"math"

	"sml/graph"
	"sml/models"
)

var evidential = models.Method{
	Name:            "evidential",
	Title:           "Evidential",
	Summary:         "the network puts out a distribution over mean and variance; wrong evidence is punished",
	Source:          "Amini et al. 2020, equations 8 and 9",
	Objective:       Evidential,
	Hyperparameters: []models.Hyperparameter{{Name: "lambda", Default: 0.01, Range: lossWeight, Help: "weight of the evidence of wrong predictions"}},
	Outputs:         4, EarlyStopping: true,
	Predict: func(d models.Moments) models.Prediction {
		positive := func(i int) float64 { return PositiveOf(d.Full[i], minEvidence) }
		nu, alpha1, beta := positive(1), positive(2), positive(3) // α − 1
		return models.Prediction{Mean: d.Full[0], Std: math.Sqrt(beta / alpha1 * (1 + 1/nu))}
	},
	PredictGraph: func(b *graph.Builder, d models.MomentNodes) models.PredictionNodes {
		positive := func(i int) *graph.Node { return Positive(b, d.Full[i], minEvidence) }
		nu, alpha1, beta := positive(1), positive(2), positive(3)
		return models.PredictionNodes{Mean: d.Full[0], Std: b.Sqrt(b.Mul(b.Div(beta, alpha1), b.AddConst(b.Pow(nu, -1), 1)))}
	},
}

// minEvidence keeps ν, α − 1 and β where the predicted variance is finite.
const minEvidence = 1e-6

// Evidential is the mean of the negative log marginal likelihood of a normal-inverse-gamma
// distribution, a t distribution, with γ, ν = softplus, α = 1 + softplus and β = softplus,
// and of λ |y − γ| (2ν + α). The predicted variance is β/(α − 1), the data's, + β/(ν(α − 1)).
func Evidential(b *graph.Builder, t *models.Task) *graph.Node {
	out := b.Split(t.Forward(graph.Full), 4)
	positive := func(i int) *graph.Node { return Positive(b, out[i], minEvidence) }
	nu, alpha, beta := positive(1), b.AddConst(positive(2), 1), positive(3)
	scale := b.Sqrt(b.Div(b.Mul(beta, b.AddConst(nu, 1)), b.Mul(nu, alpha)))
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: t.Mean(b.StudentTNLL(out[0], scale, b.Scale(2, alpha), t.Y))},
		t.Term("evidence", "lambda", t.Mean(b.Mul(b.Abs(b.Sub(t.Y, out[0])), b.Add(b.Scale(2, nu), alpha)))),
	)
}
