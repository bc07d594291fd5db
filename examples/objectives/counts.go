package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "counts". With Support, sml refuses a table whose targets are not counts.
func init() {
	models.Register(models.Method{
		Name:      "counts",
		Title:     "Counts",
		Summary:   "Poisson regression of a target that is 0, 1, 2, …",
		Source:    "McCullagh and Nelder 1989, section 6.2",
		Support:   models.Counts,
		Objective: poisson,
		Predict:   predictPoisson,
	})
}

// poisson returns the mean of −log p = λ − y log λ + log y!, a scalar, where the network's output is log λ.
// y is a count, so the standardised target is converted to its own unit.
func poisson(b *graph.Builder, t *models.Task) *graph.Node {
	logRate := t.Forward(graph.Full)
	y := t.Unstandardised(t.Y)
	logFactorial := b.LogGamma(b.Shift(y, 1))
	return t.Mean(b.Add(b.Sub(b.Exp(logRate), b.Mul(y, logRate)), logFactorial))
}

// predictPoisson returns the normal distribution with the mean λ and the variance λ of a count. A prediction
// is in standardised units.
func predictPoisson(b *graph.Builder, m models.Moments) models.PredictionNodes {
	rate := b.Exp(m.Full[0])
	mean := b.Div(b.Sub(rate, m.TargetMean), m.TargetStd)
	std := b.Div(b.Sqrt(rate), m.TargetStd)
	return methods.Normal(mean, std)
}
