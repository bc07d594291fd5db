package methods

import (
	"sml/graph"
	"sml/models"
)

var bayesByBackprop = models.Method{
	Name:      "bayes",
	Title:     "Bayes",
	Summary:   "Bayes by backprop: a normal distribution over each weight, with an annealed divergence from its prior",
	Source:    "Blundell et al. 2015, equations 2 and 7, with a std of each row; warm-up of Sønderby et al. 2016",
	Objective: BayesByBackprop,
	Hyperparameters: []models.Hyperparameter{
		{Name: "kl", Default: 1, Range: lossWeight, Help: "weight of the divergence from the prior"},
		{Name: "warm-up", Default: 0.2, Range: models.Range{Min: 1e-3, Max: 1}, Help: "part of the training in which the divergence's weight rises from 0"},
	},
	Network:    "bayes",
	Outputs:    models.Outputs(2),
	Drop:       models.AllLayers,
	Stochastic: true,
	Draws:      true,
	Predict:    MixtureOfDraws,
}

// BayesByBackprop is DropoutNLL with drawn weights plus, for each training row and target,
// the divergence of the weights' distribution from the prior, as the same draw estimates
// it.
func BayesByBackprop(b *graph.Builder, t *models.Task) *graph.Node {
	likelihood := DropoutNLL(b, t)
	annealed := b.Min(b.Const(1), b.Scale(1/t.Float("warm-up"), t.Progress()))
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: likelihood},
		t.Term("divergence", "kl", b.Mul(annealed, PerValue(b, t, t.Penalty("divergence")))),
	)
}
