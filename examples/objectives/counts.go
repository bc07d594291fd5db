package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// init registers "poisson". With Support, sml refuses a table whose targets are not counts.
func init() {
	models.Register(models.Method{
		Name:      "poisson",
		Title:     "Poisson",
		Summary:   "Poisson regression of a target that is 0, 1, 2, …",
		Source:    "McCullagh and Nelder 1989, section 6.2",
		Support:   models.Counts,
		Objective: poisson,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Counts(b, m, poissonFamily, m.Full[0])
		},
	})
}

// poisson returns the mean of −log p(y), a scalar, where the network's output is the logarithm of the rate.
// y is a count, so the standardised target is converted to its own unit.
func poisson(b *graph.Builder, t *models.Task) *graph.Node {
	outputs := []*graph.Node{t.Forward(graph.Full)}
	return t.Mean(b.Neg(poissonLogProbability(b, outputs, t.Unstandardised(t.Y))))
}

// poissonFamily is the Poisson distribution of counts. Its parameter is the logarithm of the rate λ.
var poissonFamily = distribution.Formulas{
	Name:       "poisson",
	Parameters: []string{"log rate"},
	Counts:     true,
	Mean:       func(b *graph.Builder, p []*graph.Node) *graph.Node { return b.Exp(p[0]) },
	Std:        func(b *graph.Builder, p []*graph.Node) *graph.Node { return b.Exp(b.Scale(0.5, p[0])) },
	LogDensity: poissonLogProbability,
}.Family()

// poissonLogProbability returns y log λ − λ − log y!.
func poissonLogProbability(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	logFactorial := b.LogGamma(b.Shift(y, 1))
	return b.Sub(b.Sub(b.Mul(y, p[0]), b.Exp(p[0])), logFactorial)
}
