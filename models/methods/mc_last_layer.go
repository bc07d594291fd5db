package methods

import "sml/models"

var mcLastLayer = models.Method{
	Name:        "mc-ll",
	Title:       "MC-LL",
	Summary:     "Monte Carlo dropout in the last hidden layer only",
	Source:      "Gal and Ghahramani 2016, as mc; last layer only: Sicking et al. 2021, appendix B.1",
	Objective:   DropoutMSE,
	DropLayers:  models.LastLayer,
	SubNetworks: models.SubNetworkMoments,
	Predict:     PredictSubNetworks,
	Combine:     models.CombineAsNormal,
	Exemptions:  []models.Exemption{spreadWithoutNoise},
}
