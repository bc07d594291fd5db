// Program betanll is sml with one more method, the β-NLL of Seitzer et al. 2022.
package main

import (
	"os"

	"sml/cmd"
	"sml/graph"
	"sml/models"
)

func main() { os.Exit(cmd.Main()) }

func init() {
	models.Register(models.Method{Name: "beta-nll", Summary: "Gaussian NLL, rows weighted by σ^2β", Source: "Seitzer et al. 2022, equation 5",
		Hyperparameters: []models.Hyperparameter{{Name: "beta", Default: 0.5, Help: "0 is the NLL, 1 weights rows as squared error does"}},
		Outputs:         2, Objective: betaNLL, Predict: models.Gaussian})
}

// betaNLL weights each row's NLL by σ^2β, through which no gradient flows.
func betaNLL(b *graph.Builder, f models.Forward, y *graph.Node, h models.Hyperparameters) *graph.Node {
	mean, std := models.MeanAndStd(b, f(graph.Full))
	weight := b.StopGradient(b.Exp(b.Scale(2*h.Float("beta"), b.Log(std))))
	return b.Mean(b.Mul(weight, models.RowNLL(b, mean, std, y)))
}
