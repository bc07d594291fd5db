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
	var draws, squares [5]*graph.Node
	for i := range draws {
		draws[i] = t.Forward(graph.Drop(i))
	}
	mean := average(b, draws[:])
	for i, draw := range draws {
		squares[i] = b.Square(b.Sub(draw, mean))
	}
	variance := b.ClampMin(average(b, squares[:]), 1e-12) // whose root has no slope at 0
	residual := b.Square(b.Sub(mean, t.Y))
	spread := b.Square(b.Sub(b.Sqrt(variance), b.Sqrt(b.Add(residual, variance))))
	return t.Mean(b.Add(residual, spread))
}

// average is the mean of nodes of one shape.
func average(b *graph.Builder, x []*graph.Node) *graph.Node {
	sum := x[0]
	for _, v := range x[1:] {
		sum = b.Add(sum, v)
	}
	return b.Scale(1/float64(len(x)), sum)
}
