package main

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// init registers "laplace", which predicts a distribution of a family of its own.
func init() {
	models.Register(models.Method{
		Name:      "laplace",
		Title:     "Laplace",
		Summary:   "the network puts out location and scale of a Laplace distribution",
		Source:    "Bassett and Koenker 1978: its likelihood is the least absolute error",
		Outputs:   models.Outputs(2),
		Objective: laplace,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return models.PredictionNodes{Family: laplaceFamily, Parameters: laplaceParameters(b, m.Full)}
		},
	})
}

// laplaceParameters returns location and scale for two outputs of a network: the first output, and the
// softplus of the second, which is above 0.
func laplaceParameters(b *graph.Builder, outputs []*graph.Node) []*graph.Node {
	return []*graph.Node{outputs[0], methods.SoftplusAtLeast(b, outputs[1], methods.MinStd)}
}

// laplace returns the mean of −log p(y) = log 2s + |y − μ|/s, a scalar.
func laplace(b *graph.Builder, t *models.Task) *graph.Node {
	parameters := laplaceParameters(b, b.Split(t.Forward(graph.Full), 2))
	return t.Mean(laplaceFamily.NLL(b, parameters, t.Y))
}

// laplaceFamily is the Laplace distribution with density exp(−|y − μ|/s)/(2s). Its parameters are
// the location μ and the scale s > 0.
var laplaceFamily = distribution.Formulas{
	Name:       "laplace",
	Parameters: []string{"location", "scale"},
	Check: func(p []float64) error {
		if p[1] <= 0 {
			return fmt.Errorf("scale = %v in the family laplace: want a number above 0", p[1])
		}
		return nil
	},
	CDF:        laplaceCDF,
	Mean:       func(_ *graph.Builder, p []*graph.Node) *graph.Node { return p[0] },
	Std:        func(b *graph.Builder, p []*graph.Node) *graph.Node { return b.Scale(math.Sqrt2, p[1]) },
	LogDensity: laplaceLogDensity,
}.Family()

// laplaceCDF returns ½ + ½ sign(z) (1 − exp(−|z|)) with z = (y − μ)/s.
func laplaceCDF(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	z := b.Div(b.Sub(y, p[0]), p[1])
	centralProbability := b.Neg(b.Expm1(b.Neg(b.Abs(z)))) // between −|z| and |z|
	return b.Shift(b.Scale(0.5, b.Mul(b.Sign(z), centralProbability)), 0.5)
}

// laplaceLogDensity returns −|y − μ|/s − log 2s.
func laplaceLogDensity(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	distance := b.Div(b.Abs(b.Sub(y, p[0])), p[1])
	return b.Neg(b.Add(distance, b.Log(b.Scale(2, p[1]))))
}
