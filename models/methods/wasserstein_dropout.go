package methods

import (
	"sml/graph"
	"sml/models"
)

var wassersteinDropout = models.Method{
	Name:       "w-dropout",
	Title:      "W-dropout",
	Summary:    "Wasserstein dropout: the spread of 5 sub-networks follows the residual of their mean",
	Source:     "Sicking et al. 2021b, equation 6",
	Objective:  WassersteinDropout,
	Drop:       models.AllLayers,
	Stochastic: true,
	Predict:    SubNetworks,
}

// WassersteinDropout is the mean of
//
//	(μ − y)² + (√v − √((μ − y)² + v))²
//
// with mean μ and variance v, by 1/L, of L = 5 dropout sub-networks.
func WassersteinDropout(b *graph.Builder, t *models.Task) *graph.Node {
	f := t.SubNetworks(5)
	variance := b.ClampMin(b.VarianceOf(f...), 1e-12) // whose root has no slope at 0
	residual := b.Square(b.Sub(b.MeanOf(f...), t.Y))
	spread := b.Square(b.Sub(b.Sqrt(variance), b.Sqrt(b.Add(residual, variance))))
	return t.Mean(b.Add(residual, spread))
}
