package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// init registers "zero-inflated", for counts with more zeros than a Poisson distribution has.
func init() {
	models.Register(models.Method{
		Name:      "zero-inflated",
		Title:     "ZIP",
		Summary:   "the network puts out the rate of a Poisson distribution and the probability of an additional zero",
		Source:    "Lambert 1992, Zero-inflated Poisson regression",
		Outputs:   models.Outputs(2),
		Support:   models.Counts,
		Objective: zeroInflated,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Counts(b, m, zeroInflatedFamily, m.Full...)
		},
	})
}

// zeroInflated returns the mean of −log p(y), a scalar.
func zeroInflated(b *graph.Builder, t *models.Task) *graph.Node {
	outputs := b.Split(t.Forward(graph.Full), 2)
	return t.Mean(b.Neg(zeroInflatedLogProbability(b, outputs, t.Unstandardised(t.Y))))
}

// zeroInflatedFamily is the distribution of a count that is 0 with the probability π, and otherwise follows a Poisson
// distribution with the rate λ. Its parameters are log λ and the logit of π.
var zeroInflatedFamily = distribution.Formulas{
	Name:       "zero-inflated",
	Parameters: []string{"log rate", "logit of zero"},
	Counts:     true,
	Mean: func(b *graph.Builder, p []*graph.Node) *graph.Node {
		return b.Mul(b.Sigmoid(b.Neg(p[1])), b.Exp(p[0]))
	},
	Std:        zeroInflatedStd,
	LogDensity: zeroInflatedLogProbability,
}.Family()

// zeroInflatedStd returns √((1 − π) λ (1 + π λ)).
func zeroInflatedStd(b *graph.Builder, p []*graph.Node) *graph.Node {
	rate := b.Exp(p[0])
	mean := b.Mul(b.Sigmoid(b.Neg(p[1])), rate)
	return b.Sqrt(b.Mul(mean, b.Shift(b.Mul(b.Sigmoid(p[1]), rate), 1)))
}

// zeroInflatedLogProbability returns log((1 − π) q(y)) for y > 0 and log(π + (1 − π) q(0)) for 0, where q is the
// Poisson distribution. In float32 a count of 0 is near 0.
func zeroInflatedLogProbability(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	logZero := b.Neg(b.Softplus(b.Neg(p[1])))
	logOther := b.Neg(b.Softplus(p[1]))
	logPoisson := b.Add(logOther, poissonLogProbability(b, p[:1], y))
	isPositive := b.Greater(y, b.Const(0.5))
	return b.Where(isPositive, logPoisson, b.LogSumExpOf(logZero, logPoisson))
}
