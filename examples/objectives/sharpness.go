package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "sam", sharpness-aware minimisation: training at the worst weights nearby leads to flat minima
// of the loss.
func init() {
	models.Register(models.Method{
		Name:      "sam",
		Title:     "SAM",
		Summary:   "squared error at the worst weights nearby",
		Source:    "Foret et al. 2021, equation 3",
		Objective: sharpness,
		Hyperparameters: []models.Hyperparameter{
			{Name: "rho", Default: 0.05, Range: models.Range{Min: 0, Max: 10}, Help: "distance to the worst weights"},
		},
		Predict: methods.PredictFullNetwork,
	})
}

// sharpness returns the squared error at the weights w + ρ g/‖g‖, a scalar, where g is the gradient of
// the squared error at the weights w. No gradient flows through the step from w.
func sharpness(b *graph.Builder, t *models.Task) *graph.Node {
	loss := t.MSE(t.Forward(graph.Full), t.Y)
	weights := b.ParametersOf(loss)
	gradients := b.Grad(loss, weights...)

	squaredNorm := b.Const(1e-24) // not 0, so that the norm below is never 0: it is a divisor
	for _, g := range gradients {
		squaredNorm = b.Add(squaredNorm, b.Sum(b.Square(g)))
	}
	worst := make(map[*graph.Node]*graph.Node) // from each weight to the weight in its place
	for i, w := range weights {
		scale := b.Div(t.Scalar("rho"), b.Sqrt(squaredNorm))
		step := b.StopGradient(b.Mul(scale, gradients[i]))
		worst[w] = b.Add(w, step)
	}
	return t.MSE(t.ForwardWith(worst, t.X, graph.Full), t.Y)
}
