package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "three-classes". The network has an output for each class.
func init() {
	models.Register(models.Method{
		Name:      "three-classes",
		Title:     "Three classes",
		Summary:   "cross entropy of a target that is 0, 1 or 2",
		Source:    "Bridle 1990",
		Classes:   models.Range{Min: 3, Max: 3},
		Targets:   1,
		Objective: crossEntropy,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Classes(b, m.Full)
		},
	})
}

// crossEntropy returns the mean of −log p, a scalar, where p is the softmax of the outputs at the row's class.
func crossEntropy(b *graph.Builder, t *models.Task) *graph.Node {
	return t.Mean(b.CrossEntropy(t.Forward(graph.Full), t.Y))
}
