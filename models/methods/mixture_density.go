package methods

import (
	"sml/graph"
	"sml/models"
)

var mixtureDensity = models.Method{
	Name:          "mdn",
	Title:         "MDN",
	Summary:       "mixture density network: weights, means and stds of three normal distributions",
	Source:        "Bishop 1994, with three components",
	Objective:     MixtureDensity,
	EarlyStopping: true,
	Outputs:       3 * components,
	Predict: func(d models.Moments) models.Prediction {
		parts := make([]models.Prediction, components)
		for k := range parts {
			parts[k] = models.Prediction{Mean: d.Full[components+k], Std: PositiveOf(d.Full[2*components+k], MinStd)}
		}
		return mixture(Softmax(d.Full[:components]), parts)
	},
	PredictGraph: func(b *graph.Builder, d models.MomentNodes) models.PredictionNodes {
		var parts []models.PredictionNodes
		var weights []*graph.Node
		total := b.LogSumExpOf(d.Full[:components]...)
		for k := range components {
			parts = append(parts, models.PredictionNodes{Mean: d.Full[components+k], Std: Positive(b, d.Full[2*components+k], MinStd)})
			weights = append(weights, b.Exp(b.Sub(d.Full[k], total)))
		}
		return mixtureGraph(b, weights, parts)
	},
}

const components = 3

// MixtureDensity is the mean of −log Σ πₖ N(y; μₖ, σₖ) without its ½ log 2π, for
// outputs that are first the logarithms of the weights πₖ up to a constant, then the
// means, then s with σ = max(softplus(s), MinStd).
func MixtureDensity(b *graph.Builder, t *models.Task) *graph.Node {
	out := b.Split(t.Forward(graph.Full), 3) // each of all components
	nll := RowNLL(b, out[1], Positive(b, out[2], MinStd), b.Concat(t.Y, t.Y, t.Y))
	over := func(x *graph.Node) *graph.Node { return b.LogSumExpOf(b.Split(x, components)...) }
	return t.Mean(b.Sub(over(out[0]), over(b.Sub(out[0], nll))))
}
