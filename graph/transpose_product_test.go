package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// A product reads a transposed left operand in place, with the bits of a product that
// is transposed already. A product with a vector sums in another order where its
// operand lies in rows, so there the transpose stays.
func TestProductOfTransposed(t *testing.T) {
	for _, c := range []struct{ columns, transposes int }{{5, 0}, {1, 1}} {
		b := graph.New(graph.Float32, new(graph.Params))
		x, lying, y := b.Input("x", 40, 7), b.Input("lying", 7, 40), b.Input("y", 40, c.columns)
		r := newRunner(t, graph.Compiled, b, b.MatMul(b.Transpose(x), y), b.MatMul(lying, y))
		for i := range r.Input("x") {
			v := float32(math.Sin(float64(i)))
			r.Input("x")[i], r.Input("lying")[i%7*40+i/7] = v, v
		}
		for i := range r.Input("y") {
			r.Input("y")[i] = float32(math.Cos(float64(i)))
		}
		run(t, r)
		for i, want := range r.Output(1) {
			if got := r.Output(0)[i]; math.Float32bits(got) != math.Float32bits(want) {
				t.Errorf("%d columns: number %d is %v, want %v", c.columns, i, got, want)
			}
		}
		transposes := 0
		for _, s := range r.Program().Instructions() {
			if s.Kernel == "transpose" {
				transposes++
			}
		}
		if transposes != c.transposes {
			t.Errorf("%d columns: %d transposes, want %d: %v", c.columns, transposes, c.transposes, r.Program().Instructions())
		}
	}
}
