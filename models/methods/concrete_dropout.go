package methods

import (
	"sml/graph"
	"sml/models"
)

var concreteDropout = models.Method{
	Name:      "concrete",
	Title:     "Concrete",
	Summary:   "dropout sub-networks that predict mean and standard deviation, with a dropout rate that each layer learns",
	Source:    "Gal et al. 2017, equations 3 and 4, with the constants of its reference implementation",
	Objective: ConcreteDropout,
	Hyperparameters: []models.Hyperparameter{
		{Name: "length-scale", Default: 1e-4, Range: models.Range{Min: 0, Max: 1e3}, Help: "length scale of the prior: larger values keep the weights smaller"},
		{Name: "entropy", Default: 1, Range: lossWeight, Help: "weight of the entropy of the dropout rates"},
	},
	Network:     "concrete",
	Outputs:     models.Outputs(2),
	DropLayers:  models.AllLayers,
	SubNetworks: models.EachSubNetwork,
	Predict:     PredictMixtureOfDraws,
}

// ConcreteDropout returns the DropoutNLL plus two penalties of the "concrete" network, a scalar:
// l²/2 times the squared weights of each layer over 1 − p, and the negative entropy of the learned
// dropout rates p. The penalties count once for the whole training set. Source: Gal et al. 2017,
// equations 3 and 4.
func ConcreteDropout(b *graph.Builder, t *models.Task) *graph.Node {
	likelihood := DropoutNLL(b, t) // first: the sub-network adds the penalties
	weights := penaltyPerValue(b, t, t.Penalty("weights"))
	entropy := penaltyPerValue(b, t, t.Penalty("entropy"))
	lengthScale := t.Float("length-scale")
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: likelihood},
		graph.Term{Name: "weights", Weight: lengthScale * lengthScale / 2, Value: weights},
		t.Term("entropy", "entropy", entropy),
	)
}
