package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// The families in weibull.go and gamma.go are of numbers above 0. Their parameters are shape, scale and zero, where the
// distribution begins: the standardised value of 0.

// positiveLikelihood returns the objective of such a family: the mean of −log p(y), a scalar. float32 may round a target of
// almost 0 to a number below zero, which has no probability.
func positiveLikelihood(family distribution.Family) models.Objective {
	return func(b *graph.Builder, t *models.Task) *graph.Node {
		mean, std := t.TargetScale()
		parameters := positiveParameters(b, b.Split(t.Forward(graph.Full), 2), mean, std)
		return t.Mean(family.NLL(b, parameters, b.Max(t.Y, parameters[2])))
	}
}

// predictPositive returns the predictor of such a family.
func predictPositive(family distribution.Family) models.Predictor {
	return func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		return models.PredictionNodes{Family: family, Parameters: positiveParameters(b, m.Full, m.TargetMean, m.TargetStd)}
	}
}

// positiveParameters returns shape, scale and zero for two outputs of a network. The shape is at most 1,000, since float32 has
// few digits for Γ of larger numbers.
func positiveParameters(b *graph.Builder, outputs []*graph.Node, targetMean, targetStd *graph.Node) []*graph.Node {
	shape := b.ClampMax(methods.SoftplusAtLeast(b, outputs[0], 0.01), 1000)
	scale := methods.SoftplusAtLeast(b, outputs[1], methods.MinStd)
	zero := b.Neg(b.Div(targetMean, targetStd))
	size := shape.Shape()
	return []*graph.Node{shape, scale, b.Repeat(zero, size[0], size[1])}
}

// positiveNumbers returns x = (y − zero)/s for the parameters shape, s and zero, at least 1e-6, and whether y is below zero.
func positiveNumbers(b *graph.Builder, p []*graph.Node, y *graph.Node) (x, isBelow *graph.Node) {
	x = b.Div(b.Sub(y, p[2]), p[1])
	return b.ClampMin(x, 1e-6), b.Greater(b.Const(0), x)
}

// logDensityBelow is the log density below zero. It stands for −Inf, so that losses and gradients stay finite.
const logDensityBelow = -700
