package methods

import (
	"sml/graph"
	"sml/models"
)

var mc = models.Method{
	Name:       "mc",
	Title:      "MC",
	Summary:    "Monte Carlo dropout: squared error on dropout sub-networks",
	Source:     "Gal and Ghahramani 2016",
	Objective:  DropoutMSE,
	Drop:       models.AllLayers,
	Stochastic: true,
	Predict:    SubNetworks,
}

// DropoutMSE is the mean squared error of a dropout sub-network.
func DropoutMSE(b *graph.Builder, f models.Forward, y *graph.Node, _ models.Hyperparameters) *graph.Node {
	return b.MSE(f(graph.Drop(0)), y)
}

// SubNetworks predicts the mean and the standard deviation of the
// sub-networks.
func SubNetworks(d models.Moments) models.Prediction {
	return models.Prediction{Mean: d.Mean[0], Std: d.Std[0], StdDrop: d.Std[0]}
}
