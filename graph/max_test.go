package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// Values and gradients of a maximum, by its definition, for every kind of number
// on both engines: half of the gradient to each where both are equal, as
// torch.maximum and jax.numpy.maximum have it, and nothing to the smaller one
// whatever comes back.
func TestMax(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ x, y, back, want, toX, toY float64 }{
		{1, 2, 3, 2, 0, 3}, {2, 1, 3, 2, 3, 0}, {2, 2, 3, 2, 1.5, 1.5}, {-1, -2, 3, -1, 3, 0},
		{inf, 1, 3, inf, 3, 0}, {inf, inf, 3, inf, 1.5, 1.5}, {-inf, -inf, 3, -inf, 1.5, 1.5}, {-inf, 0, 3, 0, 0, 3},
		{1, 2, inf, 2, 0, inf}, {2, 1, nan, 2, nan, 0}, {2, 2, inf, 2, inf, inf}, {nan, 1, 3, nan, 0, 0}, {1, nan, 3, nan, 0, 0},
	} {
		for _, engine := range graph.Engines() {
			for _, columns := range []int{1, 37} { // by a scalar kernel, and by whole lanes
				params := new(graph.Params)
				b := graph.New(graph.Float32, params)
				z := b.Max(b.Param("x", 2, columns, graph.Uniform(1)), b.Param("y", 1, columns, graph.Uniform(1))) // the second of both rows
				loss := b.Sum(b.Mul(z, b.Input("back", 2, columns)))
				r, err := graph.NewRunner(engine, b, append(graph.Nodes{z}, b.Gradients(loss)...)...)
				if err != nil {
					t.Fatal(err)
				}
				for i := range columns {
					x, y := graph.ParamValues(params, params.Float32s(), 0), graph.ParamValues(params, params.Float32s(), 1)
					x[i], x[columns+i], y[i] = -math.MaxFloat32, float32(c.x), float32(c.y)
					r.Input("back")[columns+i] = float32(c.back)
				}
				if err := r.Run(); err != nil {
					t.Fatal(err)
				}
				last := 2*columns - 1
				for what, got := range map[string][2]float64{
					"value": {float64(r.Output(0)[last]), c.want}, "to x": {float64(r.Output(1)[last]), c.toX}, "to y": {float64(r.Output(2)[columns-1]), c.toY},
				} {
					if got[0] != got[1] && !(math.IsNaN(got[0]) && math.IsNaN(got[1])) {
						t.Errorf("%s, %d columns: the larger of %v and %v, %v coming back: %s %v, want %v", engine, columns, c.x, c.y, c.back, what, got[0], got[1])
					}
				}
				r.Close()
			}
		}
	}
}
