// Package methods holds the built-in training methods, one file each: an objective, a predictor
// and the declaration that registers both with package models. Start with parametric.go, the
// shortest complete method; predictions.go and combine.go hold the predictors and combiners that
// methods share. The package does not train or evaluate: import it, blank if no name is used, and
// every program of this module finds its methods by name:
//
//   - mc, mc-ll, mc-pu, concrete, w-dropout: dropout networks
//   - sml, sml-de: the second-moment loss, and an ensemble of it
//   - de, pu-de, adv-de, crps-de: ensembles
//   - pu, beta-nll, crps, student-t, evidential, mdn, quantiles: networks that predict a distribution
//   - bayes: a network with distributions over weights
//   - laplace-ll, laplace-ll-diag, laplace-kron, laplace-diag, swag, swag-pu: distributions of weights, computed after
//     the training
//   - classes: probabilities of classes
//
// models.Lookup returns a method with its summary and source.
package methods

import (
	"sml/models"
	_ "sml/models/networks" // registers the default network of the methods
)

// init registers the methods in the order in which lists and tables show them.
func init() {
	for _, m := range []models.Method{
		// The methods of table 2 of Sicking et al. 2021 in its order, then SML-DE.
		mc, mcLastLayer, secondMoment, parametric, parametricEnsemble, deepEnsemble, secondMomentEnsemble,
		// Methods in which one network predicts its own uncertainty.
		betaNLL, crps, studentT, evidential, mixtureDensity, quantiles,
		// Methods with sub-networks, then with several networks.
		wassersteinDropout, mcParametric, concreteDropout, bayesByBackprop, adversarialEnsemble, crpsEnsemble,
		// Methods with a distribution of weights that is computed after the training.
		laplaceLastLayer, laplaceLastLayerDiagonal, laplaceKronecker, laplaceDiagonal, swag, swagParametric,
		// Methods for classes.
		classes,
	} {
		models.Register(m)
	}
}
