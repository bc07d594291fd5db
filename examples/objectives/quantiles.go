package main

import (
	"math"

	"sml/graph"
	"sml/models"
)

// The levels of the quantiles: the median, and those that lie one standard
// deviation from it in a normal distribution.
var levels = []float64{0.158655, 0.5, 0.841345}

func init() {
	models.Register(models.Method{
		Name: "median", Title: "QR", Summary: "quantile regression: the median, and two more quantiles, from which σ",
		Source:  "Koenker and Bassett 1978",
		Outputs: len(levels), Objective: pinball, Predict: fromQuantiles,
		Levels: func(models.Hyperparameters) []float64 { return levels },
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

// fromQuantiles predicts the quantiles, with the median as the mean and half the
// distance of the other two, which may have crossed, as the standard deviation.
func fromQuantiles(d models.Moments) models.Prediction {
	return models.Prediction{Mean: d.Full[1], Std: math.Abs(d.Full[2]-d.Full[0]) / 2, Quantiles: d.Full}
}
