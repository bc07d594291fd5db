package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "sam", Title: "SAM", Summary: "squared error at the worst weights nearby", Source: "Foret et al. 2021, equation 3",
		Hyperparameters: []models.Hyperparameter{{Name: "rho", Default: 0.05, Range: models.Range{Min: 0, Max: 10}, Help: "how far the weights go"}},
		Objective:       sharpness, Predict: methods.PredictFullNetwork,
	})
}

// sharpness is the squared error at w + ρ g/‖g‖, where g is its gradient at w.
func sharpness(b *graph.Builder, t *models.Task) *graph.Node {
	loss := t.MSE(t.Forward(graph.Full), t.Y)
	weights := b.ParametersOf(loss)
	slopes := b.Grad(loss, weights...)
	square := b.Const(1e-24) // where there is no slope, √ has none either
	for _, g := range slopes {
		square = b.Add(square, b.Sum(b.Square(g)))
	}
	worst := make(map[*graph.Node]*graph.Node)
	for i, w := range weights {
		worst[w] = b.Add(w, b.StopGradient(b.Mul(b.Div(t.Scalar("rho"), b.Sqrt(square)), slopes[i])))
	}
	return t.MSE(t.ForwardWith(worst, t.X, graph.Full), t.Y)
}
