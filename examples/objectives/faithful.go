package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "faithful", Summary: "the mean learns the squared error alone, σ the residual",
		Source:          "Stirn et al. 2023, equation 6",
		Outputs:         models.Outputs(2),
		Objective:       faithful,
		Predict:         methods.PredictNormal,
		Hyperparameters: []models.Hyperparameter{{Name: "weight", Default: 1, Range: models.Range{Min: 0, Max: 100}, Help: "weight of the likelihood of σ"}},
	})
}

// faithful is the squared error of the mean plus the NLL, which moves σ alone.
func faithful(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	nll := t.Mean(methods.RowNLL(b, b.StopGradient(mean), std, t.Y))
	return b.WeightedSum(graph.Term{Name: "mean", Weight: 1, Value: t.MSE(mean, t.Y)}, t.Term("σ", "weight", nll))
}
