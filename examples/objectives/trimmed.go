package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "trimmed", for tables in which some targets are wrong.
func init() {
	models.Register(models.Method{
		Name:    "trimmed",
		Title:   "Trimmed",
		Summary: "squared error without the rows of each batch that have the largest errors",
		Source:  "least trimmed squares, Rousseeuw 1984",
		Hyperparameters: []models.Hyperparameter{
			{Name: "trimmed-fraction", Default: 0.1, Range: models.Range{Max: 0.5}, Help: "fraction of the rows that are left out, for each target"},
		},
		Objective: trimmed,
		Predict:   methods.PredictFullNetwork,
	})
}

// trimmed returns the mean of the smallest squared errors of each target in the batch, a scalar.
func trimmed(b *graph.Builder, t *models.Task) *graph.Node {
	squares := b.Square(b.Sub(t.Forward(graph.Full), t.Y))
	rows := t.X.Shape()[0]
	kept := rows - int(t.Float("trimmed-fraction")*float64(rows))
	return b.Mean(b.SliceRows(b.SortRows(squares), 0, max(1, kept)))
}
