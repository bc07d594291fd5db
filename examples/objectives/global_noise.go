package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "global-noise", whose standard deviation is one learnt number for all rows.
func init() {
	models.Register(models.Method{
		Name:      "global-noise",
		Title:     "Global noise",
		Summary:   "Gaussian likelihood with one learnt standard deviation for all rows",
		Source:    "Bishop 2006, equation 3.21, learnt by gradient descent",
		Objective: globalNoise,
		Predict:   predictGlobalNoise,
	})
}

// logNoise is the name of the parameter log σ [1, targets].
const logNoise = "log noise"

// globalNoise returns the mean negative log-likelihood of normal distributions, a scalar. The network predicts their
// means; their standard deviation is a parameter, which the rows share.
func globalNoise(b *graph.Builder, t *models.Task) *graph.Node {
	mean := t.Forward(graph.Full)
	logStd := b.Param(logNoise, 1, t.Y.Shape()[1], graph.Fill(0))
	z := b.Mul(b.Sub(t.Y, mean), b.Exp(b.Neg(logStd)))
	return t.Mean(b.Add(b.Scale(0.5, b.Square(z)), logStd))
}

// predictGlobalNoise returns normal distributions with the trained standard deviation, in standardised units.
func predictGlobalNoise(b *graph.Builder, m models.Moments) models.PredictionNodes {
	mean := m.Full[0]
	std := b.Exp(m.Parameter(logNoise))
	return methods.Normal(mean, b.Repeat(std, mean.Shape()[0], mean.Shape()[1]))
}
