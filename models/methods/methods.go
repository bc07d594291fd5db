// Package methods holds the training methods: one file each, with its objective,
// its predictor and what it declares. To import it is to register them; a program
// that uses none of its names imports it blank.
package methods

import (
	"sml/models"
	_ "sml/models/networks" // what methods train unless they say otherwise
)

func init() {
	for _, m := range []models.Method{
		// The order of table 2 of Sicking et al. 2021, with SML-DE behind it.
		mc, mcLastLayer, secondMoment, parametric, parametricEnsemble, deepEnsemble, secondMomentEnsemble,
		// What one network says of its own uncertainty,
		betaNLL, crps, studentT, evidential, mixtureDensity, quantiles,
		// what its sub-networks say, and what several networks say.
		wassersteinDropout, mcParametric, concreteDropout, bayesByBackprop, adversarialEnsemble,
		// Targets of classes.
		classes,
	} {
		models.Register(m)
	}
}
