package main

import (
	"context"

	"sml/data"
	"sml/data/split"
)

// blocks is the number of folds of the split "blocks".
const blocks = 5

// init registers the split "blocks": each fold tests on a fifth of the rows, which follow each other. Scores of
// the first and the last block, which have training rows on one side only, are reported under a name of
// their own.
func init() {
	split.Register(split.Kind{
		Name:         "blocks",
		Summary:      "a fifth of the rows, one after the other",
		Source:       "time series",
		Folds:        blocks,
		Test:         "blocks-within",
		Outer:        "blocks-beyond",
		Extrapolates: func(fold int) bool { return fold == 0 || fold == blocks-1 },
		Mark:         markBlock,
	})
}

// markBlock returns a mark for every row of the table: whether it is a test row of the fold.
func markBlock(_ context.Context, t *data.Table, o split.Options) ([]bool, error) {
	isTest := make([]bool, t.Rows())
	for row := range isTest {
		block := row * blocks / len(isTest)
		isTest[row] = block == o.Fold
	}
	return isTest, nil
}
