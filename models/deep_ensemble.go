package models

import "sml/graph"

func init() {
	Register(Method{
		Name:      "de",
		Title:     "DE",
		Summary:   "deep ensemble: 5 networks trained by squared error, their spread is the uncertainty",
		Source:    "Lakshminarayanan et al. 2017",
		Objective: FullMSE,
		Predict:   FullNetwork,
		Members:   5,
		Combine:   Ensemble,
	})
}

// FullMSE is the mean squared error of the full network.
func FullMSE(b *graph.Builder, f Forward, y *graph.Node, _ Hyperparameters) *graph.Node {
	return b.MSE(f(graph.Full), y)
}
