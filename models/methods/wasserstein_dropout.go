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
	const subNetworks = 5
	var draws []*graph.Node
	mean := t.Forward(graph.Drop(0))
	for i := range subNetworks {
		draws = append(draws, t.Forward(graph.Drop(i)))
		if i > 0 {
			mean = b.Add(mean, draws[i])
		}
	}
	mean = b.Scale(1.0/subNetworks, mean)
	var squares *graph.Node
	for i, draw := range draws {
		if square := b.Square(b.Sub(draw, mean)); i == 0 {
			squares = square
		} else {
			squares = b.Add(squares, square)
		}
	}
	variance := b.ClampMin(b.Scale(1.0/subNetworks, squares), 1e-12) // whose root has no slope at 0
	residual := b.Square(b.Sub(mean, t.Y))
	spread := b.Square(b.Sub(b.Sqrt(variance), b.Sqrt(b.Add(residual, variance))))
	return t.Mean(b.Add(residual, spread))
}
