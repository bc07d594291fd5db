package graph_test

import (
	"math"
	"testing"

	"sml/graph"
	"sml/internal/expect"
)

// An index that is not the number of a row is an error of the run, and the next run succeeds.
func TestIndicesOfRows(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float64, new(graph.Params))
		r := newRunner(t, engine, b, b.Rows(b.Param("table", 4, 3, graph.Normal(1)), b.Input("index", 5, 1)))
		copy(r.Input64("index"), []float64{2, 0, 2, 3, 2})
		for _, wrong := range []struct {
			at   float64
			want string
		}{
			{1.5, "the index in row 3, counted from 0, is 1.5: want an integer from 0 to 3"},
			{4, "is 4: want"}, {-1, "is -1: want"}, {math.NaN(), "is NaN: want"}, {math.Inf(1), "is +Inf: want"},
		} {
			r.Input64("index")[3] = wrong.at
			expect.Error(t, r.Run(), wrong.want)
		}
		r.Input64("index")[3] = 0
		run(t, r)
	}
}
