package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "smooth", Title: "Smooth", Summary: "squared error, and a penalty of the slope by the inputs", Source: "Drucker and Le Cun 1992",
		Hyperparameters: []models.Hyperparameter{{Name: "penalty", Default: 0.01, Range: models.Range{Min: 0, Max: 1e6}, Help: "weight of the squared slope"}},
		Objective:       smooth, Predict: methods.PredictFullNetwork,
	})
}

// smooth is the mean of (f − y)² + λ ‖∇ₓ f‖²: rows do not depend on one another, so the
// gradient of the sum is that of each row.
func smooth(b *graph.Builder, t *models.Task) *graph.Node {
	f := t.Forward(graph.Full)
	slope := b.Grad(b.Sum(f), t.X)[0]
	return b.WeightedSum(
		graph.Term{Name: "fit", Weight: 1, Value: t.MSE(f, t.Y)},
		t.Term("slope", "penalty", t.Mean(b.SumColumns(b.Square(slope)))),
	)
}
