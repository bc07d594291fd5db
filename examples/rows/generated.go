package main

import (
	"context"
	"iter"

	"sml/data"
	"sml/trainers"
)

const (
	generatedCount = 50_000 // rows of an epoch
	blockRows      = 1000   // rows of a block
)

// generatedRows returns a source of rows of Friedman's function. Each epoch draws other rows.
func generatedRows() trainers.Source {
	sample := data.Friedman(10_000, 0) // for the scalers and the validation
	source := trainers.Source{
		Rows:   generatedCount,
		XScale: data.FitScalers(sample.X, sample.Columns, nil),
		YScale: data.FitScalers(sample.Y, sample.Targets, nil),
		Epoch: func(_ context.Context, _ int, seed uint64) iter.Seq2[data.Subset, error] {
			return func(yield func(data.Subset, error) bool) {
				for block := range generatedCount / blockRows {
					table := data.Friedman(blockRows, seed+uint64(block))
					if !yield(data.Subset{X: table.X, Y: table.Y}, nil) {
						return
					}
				}
			}
		},
	}
	source.Validation = data.Subset{X: sample.X, Y: sample.Y}
	return source
}
