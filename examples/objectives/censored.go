package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "tobit", Title: "Tobit", Summary: "Gaussian NLL where the column \"censored\" is 0; where it is 1 the target is a lower bound", Source: "Tobin 1958",
		Outputs: models.Outputs(2), Objective: tobit, Predict: methods.PredictNormal,
	})
}

// tobit is the mean of RowNLL, or of −log P(Y > y) = −log Φ((μ − y)/σ) in censored rows.
func tobit(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	beyond := b.Neg(b.LogNormalCDF(b.Div(b.Sub(mean, t.Y), std)))
	return t.Mean(b.Where(t.Column("censored"), beyond, methods.RowNLL(b, mean, std, t.Y)))
}
