package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

var evidential = models.Method{
	Name:            "evidential",
	Title:           "Evidential",
	Summary:         "the network puts out a distribution over mean and variance; wrong evidence is punished",
	Source:          "Amini et al. 2020, equations 8 and 9",
	Objective:       Evidential,
	Hyperparameters: []models.Hyperparameter{{Name: "lambda", Default: 0.01, Range: lossWeight, Help: "weight of the evidence of wrong predictions"}},
	Outputs:         models.Outputs(4), EarlyStopping: true,
	Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		e := newEvidence(b, m.Full)
		aleatoric := b.Sqrt(b.Div(e.beta, b.AddConst(e.alpha, -1)))
		return models.PredictionNodes{
			Family:     distribution.StudentT,
			Parameters: e.marginal(b),
			Components: separated(aleatoric, b.Div(aleatoric, b.Sqrt(e.nu))),
		}
	},
}

// minEvidence keeps ν, α − 1 and β where the predicted variance is finite.
const minEvidence = 1e-6

// evidence holds the parameters of a normal-inverse-gamma distribution: of the mean and
// the variance of a target.
type evidence struct{ gamma, nu, alpha, beta *graph.Node }

// newEvidence reads four outputs as γ, ν = softplus, α = 1 + softplus and β = softplus.
func newEvidence(b *graph.Builder, outputs []*graph.Node) evidence {
	positive := func(i int) *graph.Node { return Positive(b, outputs[i], minEvidence) }
	return evidence{outputs[0], positive(1), b.AddConst(positive(2), 1), positive(3)}
}

// marginal returns the parameters of the target's distribution, a t distribution. Its
// variance is β/(α − 1), the noise, plus β/(ν(α − 1)), the uncertainty of the mean.
func (e evidence) marginal(b *graph.Builder) []*graph.Node {
	scale := b.Sqrt(b.Div(b.Mul(e.beta, b.AddConst(e.nu, 1)), b.Mul(e.nu, e.alpha)))
	return []*graph.Node{e.gamma, scale, b.Scale(2, e.alpha)}
}

// Evidential is the mean of the negative log marginal likelihood of a normal-inverse-gamma
// distribution and of λ |y − γ| (2ν + α).
func Evidential(b *graph.Builder, t *models.Task) *graph.Node {
	e := newEvidence(b, b.Split(t.Forward(graph.Full), 4))
	wrong := b.Mul(b.Abs(b.Sub(t.Y, e.gamma)), b.Add(b.Scale(2, e.nu), e.alpha))
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: t.Mean(distribution.StudentT.NLL(b, e.marginal(b), t.Y))},
		t.Term("evidence", "lambda", t.Mean(wrong)),
	)
}
