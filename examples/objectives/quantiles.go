package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// levels are the levels of the predicted quantiles: the median, and the quantiles that lie one standard
// deviation below and above it in a normal distribution.
var levels = []float64{0.158655, 0.5, 0.841345}

// levelNames are the names of the loss terms in the history, one for each level.
var levelNames = []string{"lower", "median", "upper"}

// init registers "median", with a predictor of its own.
func init() {
	models.Register(models.Method{
		Name:      "median",
		Title:     "QR",
		Summary:   "quantile regression: the median, and two more quantiles",
		Source:    "Koenker and Bassett 1978",
		Outputs:   models.Outputs(len(levels)),
		Objective: pinball,
		Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Quantiles(levels, m.Full)
		},
	})
}

// pinball returns the sum over the levels q of the mean of max(q·e, (q − 1)·e), a scalar, where
// e = y − predicted quantile. It is lowest where a fraction q of the targets is below the quantile.
func pinball(b *graph.Builder, t *models.Task) *graph.Node {
	quantiles := b.Split(t.Forward(graph.Full), len(levels))
	terms := make([]graph.Term, len(levels))
	for i, q := range levels {
		e := b.Sub(t.Y, quantiles[i])
		loss := t.Mean(b.Max(b.Scale(q, e), b.Scale(q-1, e)))
		terms[i] = graph.Term{Name: levelNames[i], Weight: 1, Value: loss}
	}
	return b.WeightedSum(terms...)
}
