// Package parts has methods that predict quantiles or classes. It registers none: a program
// does, under a name of its own.
package parts

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// Quantiles is quantile regression, trained by the pinball loss, whose levels follow
// from the hyperparameter tail: that, the median, and 1 − tail.
func Quantiles(name string) models.Method {
	levels := func(h models.Hyperparameters) []float64 { return []float64{h.Float("tail"), 0.5, 1 - h.Float("tail")} }
	return models.Method{
		Name: name, Outputs: models.Outputs(3), Combine: methods.CombineByFamily,
		Hyperparameters: []models.Hyperparameter{{Name: "tail", Default: 0.05}},
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			out := t.Forward(graph.Full)
			targets := t.Y.Shape()[1]
			var terms []graph.Term
			for i, level := range levels(t.Hyperparameters) {
				e := b.Sub(t.Y, b.Columns(out, i*targets, (i+1)*targets))
				terms = append(terms, graph.Term{Name: fmt.Sprint("level ", i), Weight: 1, Value: b.Mean(b.Add(b.Scale(level-1, e), b.ReLU(e)))})
			}
			return b.WeightedSum(terms...)
		},
		Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Quantiles(levels(m.Hyperparameters), m.Full)
		},
	}
}

// Classes is classification into 0, 1 and 2 by cross-entropy.
func Classes(name string) models.Method {
	return models.Method{
		Name: name, Classes: models.Range{Min: 3, Max: 3}, Combine: methods.CombineByFamily,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.CrossEntropy(t.Forward(graph.Full), t.Y))
		},
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes { return methods.Classes(b, m.Full) },
	}
}
