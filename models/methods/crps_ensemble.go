package methods

import "sml/models"

var crpsEnsemble = models.Method{
	Name:         "crps-de",
	Title:        "CRPS-DE",
	Summary:      "deep ensemble of 5 networks that predict mean and standard deviation, trained by the continuous ranked probability score",
	Source:       "Lakshminarayanan et al. 2017, sections 2.1 and 2.4, with the score of Gneiting et al. 2005, equation 5",
	Objective:    CRPS,
	Outputs:      models.Outputs(2),
	Predict:      PredictNormal,
	Members:      5,
	MemberMethod: "crps",
	Combine:      models.CombineAsNormal,
}
