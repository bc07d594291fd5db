package methods

import (
	"sml/graph"
	"sml/models"
)

var concreteDropout = models.Method{
	Name:      "concrete",
	Title:     "Concrete",
	Summary:   "MC+PU with a dropout rate that each layer learns",
	Source:    "Gal et al. 2017, equations 3 and 4, with the constants of its reference implementation",
	Objective: ConcreteDropout, EarlyStopping: true,
	Hyperparameters: []models.Hyperparameter{
		{Name: "length-scale", Default: 1e-4, Range: models.Range{Min: 0, Max: 1e3}, Help: "of the prior: the larger, the smaller the weights"},
		{Name: "entropy", Default: 1, Range: lossWeight, Help: "weight of the dropout rates' entropy"},
	},
	Network:    "concrete",
	Outputs:    models.Outputs(2),
	Drop:       models.AllLayers,
	Stochastic: true,
	Draws:      true,
	Predict:    MixtureOfDraws,
}

// ConcreteDropout is DropoutNLL plus, for each training row and target, l²/2 times the
// sum of the squared weights of each layer over 1 − p, and the negative entropy of the
// dropout rates p.
func ConcreteDropout(b *graph.Builder, t *models.Task) *graph.Node {
	likelihood := DropoutNLL(b, t)
	l := t.Float("length-scale")
	return b.WeightedSum(
		graph.Term{Name: "likelihood", Weight: 1, Value: likelihood},
		graph.Term{Name: "weights", Weight: l * l / 2, Value: PerValue(b, t, t.Penalty("weights"))},
		t.Term("entropy", "entropy", PerValue(b, t, t.Penalty("entropy"))),
	)
}
