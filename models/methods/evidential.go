package methods

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

var evidential = models.Method{
	Name:      "evidential",
	Title:     "Evidential",
	Summary:   "a distribution over mean and variance of each row, with a penalty for evidence of wrong predictions",
	Source:    "Amini et al. 2020, equations 8 and 9",
	Objective: Evidential,
	Hyperparameters: []models.Hyperparameter{
		{Name: "lambda", Default: 0.01, Range: lossWeight, Help: "weight of the evidence of wrong predictions"},
	},
	Outputs: models.Outputs(4),
	Predict: predictEvidential,
	Combine: models.CombineAsNormal,
}

// evidence holds the parameters of a normal-inverse-gamma distribution, the distribution of the
// mean and the variance of a target, [rows targets] each. Source: Amini et al. 2020, equation 4.
type evidence struct {
	gamma *graph.Node // location of the mean
	nu    *graph.Node // virtual observations of the mean, above 0
	alpha *graph.Node // shape of the variance, above 1
	beta  *graph.Node // scale of the variance, above 0
}

// newEvidence returns the evidence in four outputs o of a network: γ = o₀, ν = softplus(o₁),
// α = 1 + softplus(o₂) and β = softplus(o₃).
func newEvidence(b *graph.Builder, outputs []*graph.Node) evidence {
	const minEvidence = 1e-6 // keeps ν, α − 1 and β where the predicted variance is finite
	return evidence{
		gamma: outputs[0],
		nu:    SoftplusAtLeast(b, outputs[1], minEvidence),
		alpha: b.Shift(SoftplusAtLeast(b, outputs[2], minEvidence), 1),
		beta:  SoftplusAtLeast(b, outputs[3], minEvidence),
	}
}

// studentTParameters returns location, scale and degrees of freedom of the target's distribution,
// a t distribution. Its variance is β/(α − 1), the noise, plus β/(ν(α − 1)), the uncertainty of
// the mean. Source: Amini et al. 2020, equation 7.
func (e evidence) studentTParameters(b *graph.Builder) []*graph.Node {
	squaredScale := b.Div(b.Mul(e.beta, b.Shift(e.nu, 1)), b.Mul(e.nu, e.alpha))
	return []*graph.Node{e.gamma, b.Sqrt(squaredScale), b.Scale(2, e.alpha)}
}

// predictEvidential returns the t distribution of the full network's evidence, with the noise as
// the aleatoric and the uncertainty of the mean as the epistemic standard deviation.
func predictEvidential(b *graph.Builder, m models.Moments) models.PredictionNodes {
	e := newEvidence(b, m.Full)
	aleatoric := b.Sqrt(b.Div(e.beta, b.Shift(e.alpha, -1)))
	parameters := e.studentTParameters(b)
	epistemic := b.Div(aleatoric, b.Sqrt(e.nu))
	return models.PredictionNodes{
		Family:     distribution.StudentT,
		Parameters: parameters,
		Components: uncertaintyComponents(aleatoric, epistemic),
	}
}

// Evidential returns the mean of the targets' negative log-likelihood plus λ times the mean of
// |y − γ| (2ν + α), the evidence of wrong predictions, a scalar. The full network predicts γ, ν, α
// and β, the parameters of a normal-inverse-gamma distribution. Source: Amini et al. 2020,
// equations 8 and 9.
func Evidential(b *graph.Builder, t *models.Task) *graph.Node {
	e := newEvidence(b, b.Split(t.Forward(graph.Full), 4))
	absError := b.Abs(b.Sub(t.Y, e.gamma))
	totalEvidence := b.Add(b.Scale(2, e.nu), e.alpha)
	wrongEvidence := b.Mul(absError, totalEvidence)
	nll := distribution.StudentT.NLL(b, e.studentTParameters(b), t.Y)
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: t.Mean(nll)},
		t.Term("evidence", "lambda", t.Mean(wrongEvidence)),
	)
}
