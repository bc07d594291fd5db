package methods

import (
	"sml/graph"
	"sml/models"
)

var bayesByBackprop = models.Method{
	Name:      "bayes",
	Title:     "Bayes",
	Summary:   "Bayes by backprop: a normal distribution over each weight, with an annealed divergence from its prior",
	Source:    "Blundell et al. 2015, equation 1",
	Objective: BayesByBackprop,
	Hyperparameters: []models.Hyperparameter{
		{Name: "kl", Default: 1, Range: lossWeight, Help: "weight of the divergence from the prior"},
		{Name: "prior", Default: 1, Range: models.Range{Min: 1e-3, Max: 1e3}, Help: "std of the prior of a weight"},
		{Name: "warm-up", Default: 0.2, Range: models.Range{Min: 1e-3, Max: 1}, Help: "part of the training in which the divergence's weight rises from 0"},
	},
	Network:      "bayes",
	Outputs:      2,
	Drop:         models.AllLayers,
	Stochastic:   true,
	Draws:        true,
	Predict:      MixtureOfDraws,
	PredictGraph: MixtureOfDrawsGraph,
}

// BayesByBackprop is DropoutNLL of weights that are drawn, and the divergence of their
// distribution from N(0, prior²) for each training row, up to a constant.
func BayesByBackprop(b *graph.Builder, t *models.Task) *graph.Node {
	likelihood := DropoutNLL(b, t)
	prior := t.Float("prior")
	divergence := b.Sub(b.Scale(0.5/(prior*prior), t.Penalty("squares")), t.Penalty("log std"))
	annealed := b.Min(b.Const(1), b.Scale(1/t.Float("warm-up"), t.Progress()))
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: likelihood},
		t.Term("divergence", "kl", b.Mul(annealed, b.Div(divergence, t.TrainingRows()))),
	)
}
