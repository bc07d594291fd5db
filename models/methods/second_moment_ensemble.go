package methods

import "sml/models"

var secondMomentEnsemble = models.Method{
	Name:            "sml-de",
	Title:           "SML-DE",
	Summary:         "deep ensemble of 5 networks trained by the second-moment loss",
	Source:          "the notebook of Sicking et al. 2021",
	Objective:       SecondMoment,
	Hyperparameters: secondMoment.Hyperparameters,
	DropLayers:      models.AllLayers,
	SubNetworks:     models.SubNetworkMoments,
	Predict:         PredictFullWithShift,
	Members:         5,
	MemberMethod:    "sml",
	Combine:         models.CombineAsNormal,
}
