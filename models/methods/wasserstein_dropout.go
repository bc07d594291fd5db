package methods

import (
	"sml/graph"
	"sml/models"
)

var wassersteinDropout = models.Method{
	Name:        "w-dropout",
	Title:       "W-dropout",
	Summary:     "Wasserstein dropout: the spread of 5 sub-networks learns the error of their mean",
	Source:      "Sicking et al. 2021b, equation 6",
	Objective:   WassersteinDropout,
	DropLayers:  models.AllLayers,
	SubNetworks: models.SubNetworkMoments,
	Predict:     PredictSubNetworks,
	Combine:     models.CombineAsNormal,
}

// WassersteinDropout returns the mean over rows and targets of
//
//	(μ − y)² + (√v − √((μ − y)² + v))²
//
// a scalar, where μ is the mean and v the variance (divided by n) of the outputs of 5 dropout
// sub-networks. Source: Sicking et al. 2021b, equation 6.
func WassersteinDropout(b *graph.Builder, t *models.Task) *graph.Node {
	const subNetworks = 5
	const minVariance = 1e-12 // the derivative of the root is infinite at 0
	outputs := t.SubNetworks(subNetworks)
	variance := b.ClampMin(b.VarianceOf(outputs...), minVariance)
	squaredError := b.Square(b.Sub(b.MeanOf(outputs...), t.Y))
	std := b.Sqrt(variance)
	wantedStd := b.Sqrt(b.Add(squaredError, variance)) // the spread that the error calls for
	spreadLoss := b.Square(b.Sub(std, wantedStd))
	return t.Mean(b.Add(squaredError, spreadLoss))
}
