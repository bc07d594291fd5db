package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "tobit", for targets of which some are only known to be above a number, such as the lifetimes of
// parts that have not failed yet. The objective reads the column "censored" of the table, which is no input.
func init() {
	models.Register(models.Method{
		Name:      "tobit",
		Title:     "Tobit",
		Summary:   "Gaussian NLL where the column \"censored\" is 0; where it is 1 the target is a lower bound",
		Source:    "Tobin 1958",
		Outputs:   models.Outputs(2),
		Objective: tobit,
		Predict:   methods.PredictNormal,
	})
}

// tobit returns the mean over the rows of the negative log-likelihood, a scalar: RowNLL, or
// −log P(Y > y) = −log Φ((μ − y)/σ) in censored rows.
func tobit(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	censoredNLL := b.Neg(b.LogNormalCDF(b.Div(b.Sub(mean, t.Y), std)))
	return t.Mean(b.Where(t.Column("censored"), censoredNLL, methods.RowNLL(b, mean, std, t.Y)))
}
