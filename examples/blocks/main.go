// Program blocks is sml with one more data set and one more split: a series, and
// blocks of rows that follow each other.
package main

import (
	"context"
	"os"

	"sml/cmd"
	"sml/data"
	"sml/data/portable"
)

func main() { os.Exit(cmd.Main()) }

func init() {
	data.Register(data.Dataset{
		Name: "waves", Rows: 500, Features: 2, Target: "next", Meaning: "two waves, a step ahead of what is known of them", Source: "made",
		Make: func(context.Context, uint64) (*data.Table, error) {
			t := &data.Table{Columns: []string{"now", "before"}, Targets: []string{"next"}}
			wave := func(i int) float64 { return portable.Sin(0.1*float64(i)) + portable.Sin(0.031*float64(i)) }
			for i := range 500 {
				t.X = append(t.X, wave(i), wave(i-1))
				t.Y = append(t.Y, wave(i+1))
			}
			return t, nil
		},
	})
	data.RegisterSplit(data.SplitKind{
		Name: "blocks", Summary: "a fifth of the rows, one after the other", Source: "time series", Folds: 5,
		Test: "blocks-within", Outer: "blocks-beyond", Extrapolates: func(fold int) bool { return fold == 0 || fold == 4 },
		Mark: func(_ context.Context, t *data.Table, fold int, _ data.Protocol, _ uint64) ([]bool, error) {
			test := make([]bool, t.Rows())
			for i := range test {
				test[i] = i*5/len(test) == fold
			}
			return test, nil
		},
	})
}
