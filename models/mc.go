package models

import "sml/graph"

func init() {
	Register(Method{
		Name:       "mc",
		Title:      "MC",
		Summary:    "Monte Carlo dropout: squared error on dropout sub-networks",
		Source:     "Gal and Ghahramani 2016",
		Objective:  DropoutMSE,
		Drop:       AllLayers,
		Stochastic: true,
		Predict:    SubNetworks,
	})
}

// DropoutMSE is the mean squared error of a dropout sub-network.
func DropoutMSE(b *graph.Builder, f Forward, y *graph.Node, _ Hyperparameters) *graph.Node {
	return b.MSE(f(graph.Drop(0)), y)
}
