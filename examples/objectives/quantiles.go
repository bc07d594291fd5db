package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// The levels of the quantiles: the median, and those that lie one standard
// deviation from it in a normal distribution.
var levels = []float64{0.158655, 0.5, 0.841345}

func init() {
	models.Register(models.Method{
		Name: "median", Title: "QR", Summary: "quantile regression: the median, and two more quantiles",
		Source:  "Koenker and Bassett 1978",
		Outputs: models.Outputs(len(levels)), Objective: pinball,
		Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Quantiles(levels, m.Full)
		},
	})
}

// pinball is the mean over rows and levels q of max(q·e, (q − 1)·e), e = y − prediction.
func pinball(b *graph.Builder, t *models.Task) *graph.Node {
	out := b.Split(t.Forward(graph.Full), len(levels))
	terms := make([]graph.Term, len(levels))
	for i, q := range levels {
		e := b.Sub(t.Y, out[i])
		loss := t.Mean(b.Max(b.Scale(q, e), b.Scale(q-1, e)))
		terms[i] = graph.Term{Name: []string{"lower", "median", "upper"}[i], Weight: 1, Value: loss}
	}
	return b.WeightedSum(terms...)
}
