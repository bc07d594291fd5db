package models

import (
	"math"

	"sml/graph"
)

func init() {
	Register(Method{
		Name:      "pu",
		Title:     "PU",
		Summary:   "parametric uncertainty: the network puts out mean and std, trained by Gaussian NLL",
		Source:    "Nix and Weigend 1994",
		Objective: GaussianNLL,
		Outputs:   2,
		Predict:   Gaussian,
	})
}

// nllFloor bounds what a single row can contribute, as in the authors' notebook.
const nllFloor = -100

// GaussianNLL is the mean of log σ + (y − μ)²/(2σ²), each row at least −100,
// for a network with outputs [μ…, s…] and σ = softplus(s). The constant
// ½ log 2π is left out.
func GaussianNLL(b *graph.Builder, f Forward, y *graph.Node, _ Hyperparameters) *graph.Node {
	out := f(graph.Full)
	targets := y.Shape()[1]
	mean := b.Columns(out, 0, targets)
	std := b.Softplus(b.Columns(out, targets, 2*targets))
	residual := b.Div(b.Sub(y, mean), std)
	nll := b.Add(b.Log(std), b.Scale(0.5, b.Square(residual)))
	return b.Mean(b.AtLeast(nll, nllFloor))
}

// Gaussian predicts the mean and std that the full network puts out.
func Gaussian(d Draws) Prediction {
	s := d.Full[1]
	return Prediction{Mean: d.Full[0], Std: math.Max(s, 0) + math.Log1p(math.Exp(-math.Abs(s)))}
}
