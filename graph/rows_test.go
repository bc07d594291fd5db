package graph_test

import (
	"math"
	"strings"
	"testing"

	"sml/graph"
)

// Expected: PyTorch 1.13, float64, of t = seq(4,3), with seq as in
// TestConvolutionsAgainstPyTorch, and
//
//	e = F.embedding(torch.tensor([2,0,2,3,2]), t); l = (e**3*seq(5,3)).sum()
//	print(l, (torch.autograd.grad(l, t)[0]*seq(4,3)).sum())
func TestRows(t *testing.T) {
	index := []float64{2, 0, 2, 3, 2}
	loss := func(b builder) node {
		e := b.Rows(b.Param("table", 4, 3, graph.Normal(1)), b.Input("index", 5, 1))
		y := b.Sum(b.Mul(b.Mul(e, b.Square(e)), b.Input("weights", 5, 3)))
		return y
	}
	for _, engine := range graph.Engines() {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		y := loss(b)
		r := newRunner(t, engine, b, append(graph.Nodes{y}, b.Gradients(y)...)...)
		for i := range params.Float64s() {
			params.Float64s()[i] = number(i)
		}
		for i := range r.Input64("weights") {
			r.Input64("weights")[i] = number(i)
		}
		copy(r.Input64("index"), index)
		run(t, r)
		if got, want := r.Output64(0)[0], 0.05908203125; math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: %v, want %v", engine, got, want)
		}
		if got, want := weightedTotal(r.Output64(1)), 0.17724609375; math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: gradient %v, want %v", engine, got, want)
		}
		for _, wrong := range []struct {
			at   float64
			want string
		}{
			{1.5, "the index in row 3, counted from 0, is 1.5: want an integer from 0 to 3"},
			{4, "is 4: want"}, {-1, "is -1: want"}, {math.NaN(), "is NaN: want"}, {math.Inf(1), "is +Inf: want"},
		} {
			r.Input64("index")[3] = wrong.at
			if err := r.Run(); err == nil || !strings.Contains(err.Error(), wrong.want) {
				t.Errorf("%s: got %v, want %s", engine, err, wrong.want)
			}
		}
		r.Input64("index")[3] = 0
		if err := r.Run(); err != nil {
			t.Errorf("%s: after an error: %v", engine, err)
		}
	}
}
