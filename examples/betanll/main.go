// Program betanll is sml with one more method: the β-NLL of Seitzer et al.
// 2022, "On the pitfalls of heteroscedastic uncertainty estimation", equation 5.
// It weights each row's Gaussian NLL by σ^2β, through which no gradient flows.
//
//	go run ./examples/betanll train --data friedman --method beta-nll --out model
package main

import (
	"os"

	"sml/cmd"
	"sml/graph"
	"sml/models"
)

func main() {
	models.Register(models.Method{
		Name: "beta-nll", Title: "β-NLL", Summary: "Gaussian NLL, each row weighted by σ^2β", Source: "Seitzer et al. 2022, equation 5",
		Hyperparameters: []models.Hyperparameter{{Name: "beta", Default: 0.5, Help: "0 is the NLL, 1 weights errors as squared error does"}},
		Outputs:         2, Objective: betaNLL, Predict: models.Gaussian,
	})
	os.Exit(cmd.Main())
}

func betaNLL(b *graph.Builder, f models.Forward, y *graph.Node, h models.Hyperparameters) *graph.Node {
	out, targets := f(graph.Full), y.Shape()[1]
	mean, std := b.Columns(out, 0, targets), b.Softplus(b.Columns(out, targets, 2*targets))
	nll := b.Add(b.Log(std), b.Scale(0.5, b.Square(b.Div(b.Sub(y, mean), std))))
	weight := b.StopGradient(b.Exp(b.Scale(2*h.Float("beta"), b.Log(std))))
	return b.Mean(b.Mul(weight, nll))
}
