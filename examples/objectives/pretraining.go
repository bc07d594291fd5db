package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

// init registers "pretraining", which learns hidden layers from rows without a target, too. A training of another method
// may start from its weights (--init-from).
func init() {
	models.Register(models.Method{
		Name:           "pretraining",
		Summary:        "Gaussian NLL of the labelled rows, and hidden units that reconstruct all rows",
		Source:         "Ranzato and Szummer 2008, equation 5",
		UsesUnlabelled: true,
		Objective:      pretraining,
		Hyperparameters: []models.Hyperparameter{
			{Name: "weight", Default: 1, Range: models.Range{Min: 0, Max: 100}, Help: "weight of the reconstruction"},
		},
		Outputs: models.Outputs(2),
		Predict: methods.PredictNormal,
	})
}

// pretraining returns the Gaussian negative log-likelihood of the rows that have a target plus "weight" times the squared
// error with which a linear decoder reconstructs the inputs of all rows from the last hidden layer, a scalar.
func pretraining(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	reconstruction := networks.Dense(b, "decoder", t.Layer(""), t.X.Shape()[1])
	return b.WeightedSum(
		graph.Term{Name: "targets", Weight: 1, Value: t.Mean(methods.RowNLL(b, mean, std, t.Y))},
		t.Term("inputs", "weight", t.MeanOfRows(b.Square(b.Sub(reconstruction, t.X)))),
	)
}
