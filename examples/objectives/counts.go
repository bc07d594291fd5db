package main

import (
	"math"

	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

func init() {
	models.Register(models.Method{
		Name: "counts", Title: "Counts", Summary: "Poisson regression of a target that is 0, 1, 2, …", Source: "McCullagh and Nelder 1989, section 6.2",
		Support: models.Counts, Objective: poisson,
		Predict: func(d models.Moments) models.Prediction { // of the count to units of the training
			rate := portable.Exp(d.Full[0])
			return models.Prediction{Mean: (rate - d.Scale.Mean) / d.Scale.Std, Std: math.Sqrt(rate) / d.Scale.Std}
		},
	})
}

// poisson is the mean of −log p = λ − y·log λ + log y!, for outputs log λ.
func poisson(b *graph.Builder, t *models.Task) *graph.Node {
	logRate, y := t.Forward(graph.Full), t.Unstandardised(t.Y)
	return t.Mean(b.Add(b.Sub(b.Exp(logRate), b.Mul(y, logRate)), b.LogGamma(b.AddConst(y, 1))))
}
