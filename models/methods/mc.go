package methods

import (
	"sml/graph"
	"sml/models"
)

var mc = models.Method{
	Name:        "mc",
	Title:       "MC",
	Summary:     "Monte Carlo dropout: dropout sub-networks trained by the squared error; their spread is the uncertainty",
	Source:      "Gal and Ghahramani 2016, without its noise 1/τ and weight decay",
	Objective:   DropoutMSE,
	DropLayers:  models.AllLayers,
	SubNetworks: models.SubNetworkMoments,
	Predict:     PredictSubNetworks,
	Combine:     models.CombineAsNormal,
	Exemptions:  []models.Exemption{spreadWithoutNoise},
}

// spreadWithoutNoise exempts a method from the calibration check because its standard deviation is
// the spread of sub-networks alone.
var spreadWithoutNoise = models.Exemption{
	Check:  "calibration",
	Reason: "the spread of sub-networks is the uncertainty of the weights; it does not include the noise of the targets",
}

// DropoutMSE returns the mean squared error of one dropout sub-network, a scalar.
func DropoutMSE(_ *graph.Builder, t *models.Task) *graph.Node {
	return t.MSE(t.Forward(graph.Drop(0)), t.Y)
}
