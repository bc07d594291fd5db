package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "smooth", whose loss contains a gradient.
func init() {
	models.Register(models.Method{
		Name:      "smooth",
		Title:     "Smooth",
		Summary:   "squared error, and a penalty of the slope with respect to the inputs",
		Source:    "Drucker and Le Cun 1992",
		Objective: smooth,
		Hyperparameters: []models.Hyperparameter{
			{Name: "penalty", Default: 0.01, Range: models.Range{Min: 0, Max: 1e6}, Help: "weight of the squared slope"},
		},
		Predict: methods.PredictFullNetwork,
	})
}

// smooth returns the mean of (f − y)² + λ ‖∇ₓ f‖², a scalar. The output of a row depends on no other row, so
// the gradient of the sum of all outputs has in each row the gradient of this row's output.
func smooth(b *graph.Builder, t *models.Task) *graph.Node {
	f := t.Forward(graph.Full)
	slope := b.Grad(b.Sum(f), t.X)[0]
	return b.WeightedSum(
		graph.Term{Name: "fit", Weight: 1, Value: t.MSE(f, t.Y)},
		t.Term("slope", "penalty", t.Mean(b.SumColumns(b.Square(slope)))),
	)
}
