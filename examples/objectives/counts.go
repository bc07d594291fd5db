package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "counts", Title: "Counts", Summary: "Poisson regression of a target that is 0, 1, 2, …", Source: "McCullagh and Nelder 1989, section 6.2",
		Support: models.Counts, Objective: poisson,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes { // of the count to units of the training
			rate := b.Exp(m.Full[0])
			return methods.Normal(b.Div(b.Sub(rate, m.TargetMean), m.TargetStd), b.Div(b.Sqrt(rate), m.TargetStd))
		},
	})
}

// poisson is the mean of −log p = λ − y·log λ + log y!, for outputs log λ.
func poisson(b *graph.Builder, t *models.Task) *graph.Node {
	logRate := t.Forward(graph.Full)
	y := t.Unstandardised(t.Y)
	return t.Mean(b.Add(b.Sub(b.Exp(logRate), b.Mul(y, logRate)), b.LogGamma(b.AddConst(y, 1))))
}
