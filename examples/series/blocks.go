package main

import (
	"context"

	"sml/data"
	"sml/data/split"
)

func init() {
	split.Register(split.Kind{
		Name: "blocks", Summary: "a fifth of the rows, one after the other", Source: "time series", Folds: 5,
		Test: "blocks-within", Outer: "blocks-beyond", Extrapolates: func(fold int) bool { return fold == 0 || fold == 4 },
		Mark: func(_ context.Context, t *data.Table, o split.Options) ([]bool, error) {
			test := make([]bool, t.Rows())
			for i := range test {
				test[i] = i*5/len(test) == o.Fold
			}
			return test, nil
		},
	})
}
