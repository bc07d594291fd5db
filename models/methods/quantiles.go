package methods

import (
	"sml/graph"
	"sml/models"
)

var quantiles = models.Method{
	Name:      "quantiles",
	Title:     "Quantiles",
	Summary:   "quantile regression: an output for each of seven levels, trained by the pinball loss",
	Source:    "Koenker and Bassett 1978",
	Objective: Pinball, EarlyStopping: true,
	Outputs: len(quantileLevels),
	Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
		return Quantiles(quantileLevels, m.Full)
	},
	Combine: Ensemble,
}

// quantileLevels hold the median and the central intervals of 50, 90 and 95 %.
var quantileLevels = []float64{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975}

// Pinball is the mean over rows and levels q of max(q·e, (q − 1)·e), e = y − prediction.
func Pinball(b *graph.Builder, t *models.Task) *graph.Node {
	losses := b.Split(t.Forward(graph.Full), len(quantileLevels))
	for i, q := range quantileLevels {
		e := b.Sub(t.Y, losses[i])
		losses[i] = b.Max(b.Scale(q, e), b.Scale(q-1, e))
	}
	return t.Mean(b.MeanOf(losses...))
}
