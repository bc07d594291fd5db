package methods

import (
	"sml/graph"
	"sml/models"
)

var bayesByBackprop = models.Method{
	Name:      "bayes",
	Title:     "Bayes",
	Summary:   "Bayes by backprop: a normal distribution over each weight, and a penalty for its distance from a prior",
	Source:    "Blundell et al. 2015, equations 2 and 7, with a standard deviation for each row; warm-up of Sønderby et al. 2016",
	Objective: BayesByBackprop,
	Hyperparameters: []models.Hyperparameter{
		{Name: "kl", Default: 1, Range: lossWeight, Help: "weight of the divergence of the weights from their prior"},
		{Name: "warm-up", Default: 0.2, Range: models.Range{Min: 1e-3, Max: 1}, Help: "fraction of the training in which the weight of the divergence rises linearly from 0"},
	},
	Network:     "bayes",
	Outputs:     models.Outputs(2),
	DropLayers:  models.AllLayers,
	SubNetworks: models.EachSubNetwork,
	Predict:     PredictMixtureOfDraws,
}

// BayesByBackprop returns the DropoutNLL of one draw of the weights, plus the divergence of the
// weights' distribution q from their prior P, log q(w) − log P(w) at that draw, a scalar. The
// divergence counts once for the whole training set and its weight rises from 0 during the
// warm-up. Source: Blundell et al. 2015, equation 2.
func BayesByBackprop(b *graph.Builder, t *models.Task) *graph.Node {
	likelihood := DropoutNLL(b, t) // first: the sub-network adds the penalty
	warmUp := b.Min(b.Const(1), b.Scale(1/t.Float("warm-up"), t.Progress()))
	divergence := penaltyPerValue(b, t, t.Penalty("divergence"))
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: likelihood},
		t.Term("divergence", "kl", b.Mul(warmUp, divergence)),
	)
}
