// Package parts has a method that predicts quantiles and a method that predicts classes. Start with
// Quantiles. The package registers neither: a program passes the result to models.Register, under a name
// of its choice.
package parts

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// Quantiles returns a method with the given name that predicts three quantiles of the target, trained by
// the pinball loss. Their levels follow from the hyperparameter tail: tail, ½ and 1 − tail.
func Quantiles(name string) models.Method {
	return models.Method{
		Name: name,
		Hyperparameters: []models.Hyperparameter{
			{Name: "tail", Default: 0.05},
		},
		Outputs:   models.Outputs(3),
		Objective: pinballLoss,
		Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Quantiles(quantileLevels(m.Hyperparameters), m.Full)
		},
		Combine: models.CombineByFamily,
	}
}

// quantileLevels returns the levels of the three quantiles, in ascending order.
func quantileLevels(h models.Hyperparameters) []float64 {
	tail := h.Float("tail")
	return []float64{tail, 0.5, 1 - tail}
}

// pinballLoss returns the sum over the levels q of the mean of (q − 1)·e + max(e, 0), a scalar, where
// e = y − predicted quantile.
func pinballLoss(b *graph.Builder, t *models.Task) *graph.Node {
	outputs := t.Forward(graph.Full) // the columns of the first quantile, then of the second and the third
	targets := t.Y.Shape()[1]
	var terms []graph.Term
	for i, level := range quantileLevels(t.Hyperparameters) {
		quantile := b.Columns(outputs, i*targets, (i+1)*targets)
		e := b.Sub(t.Y, quantile)
		loss := b.Mean(b.Add(b.Scale(level-1, e), b.ReLU(e)))
		terms = append(terms, graph.Term{Name: fmt.Sprint("level ", i), Weight: 1, Value: loss})
	}
	return b.WeightedSum(terms...)
}

// Classes returns a method with the given name that predicts the probabilities of the classes 0, 1 and 2,
// trained by the cross-entropy.
func Classes(name string) models.Method {
	return models.Method{
		Name:      name,
		Classes:   models.Range{Min: 3, Max: 3},
		Objective: crossEntropy,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Classes(b, m.Full)
		},
		Combine: models.CombineByFamily,
	}
}

// crossEntropy returns the mean of −log p, a scalar, where p is the predicted probability of a row's class.
func crossEntropy(b *graph.Builder, t *models.Task) *graph.Node {
	return t.Mean(b.CrossEntropy(t.Forward(graph.Full), t.Y))
}
