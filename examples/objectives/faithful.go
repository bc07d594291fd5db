package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "faithful", whose mean is as good as without a predicted uncertainty.
func init() {
	models.Register(models.Method{
		Name:      "faithful",
		Summary:   "the mean learns the squared error alone, σ the residual",
		Source:    "Stirn et al. 2023, equation 6",
		Objective: faithful,
		Hyperparameters: []models.Hyperparameter{
			{Name: "weight", Default: 1, Range: models.Range{Min: 0, Max: 100}, Help: "weight of the likelihood of σ"},
		},
		Outputs: models.Outputs(2),
		Predict: methods.PredictNormal,
	})
}

// faithful returns the mean squared error of the predicted mean plus "weight" times the Gaussian negative
// log-likelihood, a scalar. The likelihood moves only σ: no gradient flows from it through the mean.
func faithful(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	nll := t.Mean(methods.RowNLL(b, b.StopGradient(mean), std, t.Y))
	return b.WeightedSum(
		graph.Term{Name: "mean", Weight: 1, Value: t.MSE(mean, t.Y)},
		t.Term("σ", "weight", nll),
	)
}
