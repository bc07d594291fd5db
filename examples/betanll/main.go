// Program betanll is sml with one more method, the β-NLL of Seitzer et al. 2022.
package main

import (
	"os"

	"sml/cmd"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func main() { os.Exit(cmd.Main()) }

func init() {
	models.Register(models.Method{Name: "beta-nll", Summary: "Gaussian NLL, rows weighted by σ^2β", Source: "Seitzer et al. 2022, equation 5",
		Outputs: 2, Objective: betaNLL, Predict: methods.Gaussian,
		Hyperparameters: []models.Hyperparameter{{Name: "beta", Default: 0.5, Help: "0 is the NLL, 1 weights rows as squared error does"}}})
}

// betaNLL weights each row's NLL by σ^2β, through which no gradient flows.
func betaNLL(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	weight := b.StopGradient(b.Exp(b.Scale(2*t.Float("beta"), b.Log(std))))
	return b.Mean(b.Mul(weight, methods.RowNLL(b, mean, std, t.Y)))
}
