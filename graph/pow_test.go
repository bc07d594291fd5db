package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// Powers and their gradients by the conventions of torch.pow: IEEE 754 for the
// value (√x for ½), c·x^(c−1) for the gradient, and 0 for c = 0.
func TestPow(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ x, c, want, grad float64 }{
		{2, 3, 8, 12}, {-2, 3, -8, 12}, {-2, 2, 4, -4}, {-2, 5, -32, 80}, {-2, -3, -0.125, -0.1875}, {-2, -1, -0.5, -0.25},
		{4, 0.5, 2, 0.25}, {4, -0.5, 0.5, -0.0625}, {4, 1.5, 8, 3}, {4, -1.5, 0.125, -0.046875}, {-4, 1.5, nan, nan}, {-4, 0.5, nan, nan},
		{3, 1, 3, 1}, {-3, 1, -3, 1}, {3, 0, 1, 0}, {-3, 0, 1, 0},
		{0, 0, 1, 0}, {0, 1, 0, 1}, {0, 2, 0, 0}, {0, 3, 0, 0}, {0, 1.5, 0, 0}, {0, 0.5, 0, inf}, {0, 0.25, 0, inf}, {0, -1, inf, -inf}, {0, -2, inf, -inf},
		{nan, 0, 1, 0}, {nan, 2, nan, nan}, {inf, 2, inf, inf}, {inf, -2, 0, 0}, {-inf, 3, -inf, inf}, {-inf, -3, 0, 0},
	} {
		for _, engine := range graph.Engines() {
			for _, columns := range []int{1, 37} {
				params := new(graph.Params)
				b := graph.New(graph.Float32, params)
				y := b.Pow(b.Param("x", 1, columns, graph.Uniform(1)), c.c)
				r, err := graph.NewRunner(engine, b, append(graph.Nodes{y}, b.Gradients(b.Sum(y))...)...)
				if err != nil {
					t.Fatal(err)
				}
				for i := range columns {
					params.Float32s()[i] = float32(c.x)
				}
				if err := r.Run(); err != nil {
					t.Fatal(err)
				}
				for what, got := range map[string][2]float64{"value": {float64(r.Output(0)[columns-1]), c.want}, "gradient": {float64(r.Output(1)[columns-1]), c.grad}} {
					if got[0] != got[1] && !(math.IsNaN(got[0]) && math.IsNaN(got[1])) {
						t.Errorf("%s, %d columns: %v to the power of %v: %s %v, want %v", engine, columns, c.x, c.c, what, got[0], got[1])
					}
				}
				r.Close()
			}
		}
	}
}

func TestPowRefuses(t *testing.T) {
	for words, c := range map[string]float64{"the exponent is +Inf": math.Inf(1), "not a number": math.NaN(), "is 0 in float32": 1e-60} {
		b := graph.New(graph.Float32, new(graph.Params))
		b.Pow(b.Input("x", 2, 2), c)
		checkMessage(t, words, b.Err(), words)
	}
}
