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
	Objective: Pinball,
	Outputs:   len(quantileLevels),
	Levels:    func(models.Hyperparameters) []float64 { return quantileLevels[:] },
	Predict: func(d models.Moments) models.Prediction {
		return models.Prediction{Mean: d.Full[median], NoStd: true, Quantiles: d.Full}
	},
}

// quantileLevels hold the median and the central intervals of 50, 90 and 95 %.
var quantileLevels = [...]float64{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975}

const median = 3

// Pinball is the mean over rows and levels q of max(q·e, (q − 1)·e), e = y − prediction.
func Pinball(b *graph.Builder, t *models.Task) *graph.Node {
	losses := Outputs(b, t)
	for i, q := range quantileLevels {
		e := b.Sub(t.Y, losses[i])
		losses[i] = b.Max(b.Scale(q, e), b.Scale(q-1, e))
	}
	return t.Mean(average(b, losses))
}

// Outputs cuts the full network's outputs into those of all targets, [rows, targets],
// one for each output of the method.
func Outputs(b *graph.Builder, t *models.Task) []*graph.Node {
	return cut(b, t.Forward(graph.Full), t.Y.Shape()[1])
}

func cut(b *graph.Builder, out *graph.Node, targets int) []*graph.Node {
	var list []*graph.Node
	for from := 0; from < out.Shape()[1]; from += targets {
		list = append(list, b.Columns(out, from, from+targets))
	}
	return list
}
