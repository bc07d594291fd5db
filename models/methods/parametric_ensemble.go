package methods

import "sml/models"

var parametricEnsemble = models.Method{
	Name:         "pu-de",
	Title:        "PU-DE",
	Summary:      "deep ensemble of 5 networks that predict mean and standard deviation, trained by the Gaussian NLL",
	Source:       "Lakshminarayanan et al. 2017, without adversarial training",
	Objective:    GaussianNLL,
	Outputs:      models.Outputs(2),
	Predict:      PredictNormal,
	Members:      5,
	MemberMethod: "pu",
	Combine:      models.CombineAsNormal,
}
