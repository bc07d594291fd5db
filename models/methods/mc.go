package methods

import (
	"sml/graph"
	"sml/models"
)

var mc = models.Method{
	Name:       "mc",
	Title:      "MC",
	Summary:    "Monte Carlo dropout: squared error on dropout sub-networks",
	Source:     "Gal and Ghahramani 2016, without its noise 1/τ and weight decay",
	Objective:  DropoutMSE,
	Drop:       models.AllLayers,
	Stochastic: true,
	Predict:    SubNetworks,
	Exempt:     []models.Exemption{spreadWithoutNoise},
}

// spreadWithoutNoise exempts methods whose standard deviation is the spread of networks alone.
var spreadWithoutNoise = models.Exemption{
	Check:  "calibration",
	Reason: "the spread of sub-networks is the uncertainty of the weights, and the noise of the targets is no part of it",
}

// DropoutMSE is the mean squared error of a dropout sub-network.
func DropoutMSE(_ *graph.Builder, t *models.Task) *graph.Node {
	return t.MSE(t.Forward(graph.Drop(0)), t.Y)
}
