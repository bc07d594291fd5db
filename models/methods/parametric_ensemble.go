package methods

import "sml/models"

var parametricEnsemble = models.Method{
	Name:          "pu-de",
	Title:         "PU-DE",
	Summary:       "deep ensemble of 5 parametric networks",
	Source:        "Lakshminarayanan et al. 2017, without adversarial training",
	Objective:     GaussianNLL,
	EarlyStopping: true,
	Outputs:       models.Outputs(2),
	Predict:       Gaussian,
	Members:       5,
	Member:        "pu",
	Combine:       GaussianMixture,
}
