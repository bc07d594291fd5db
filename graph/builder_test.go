package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// Gorgonia takes constants of the same printed form for one: values that
// differ in the last bit must stay apart.
func TestConstantsStayApart(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	x := 0.1234567
	r := newRunner(t, graph.Tape, b, b.Sub(b.Add(b.Mean(b.Input("zero", 1, 1)), b.Const(x)), b.Const(math.Nextafter(x, 1))))
	r.Input64("zero")[0] = 0
	run(t, r)
	if r.Output64(0)[0] == 0 {
		t.Error("two constants became one")
	}
}
