package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// Values and gradients follow from the definition. The gradients of Min are those of torch.minimum,
// except for NaN, where they are 0.
func TestChoices(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := matrix{{1, 2, 2, -1, inf, -inf, nan, 1, -inf, 1e30}}
	y := matrix{{2, 1, 2, -2, 1, 0, 1, nan, -inf, 1e-30}}
	back := matrix{{3, 3, 3, 3, 3, inf, 3, 3, 3, nan}}
	forEachPlace(t, func(t *testing.T, in place) {
		got := in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.Min(x[0], x[1]) }, back, x, y)
		in.checkNear(t, "Min", got[0], []float64{1, 1, 2, -2, 1, -inf, nan, nan, -inf, 1e-30})
		in.checkNear(t, "Min to x", got[1], []float64{3, 0, 1.5, 0, 0, inf, 0, 0, 1.5, 0})
		in.checkNear(t, "Min to y", got[2], []float64{0, 3, 1.5, 3, 3, 0, 0, 0, 1.5, nan})
		for name, c := range map[string]struct {
			f    func(b *graph.Builder, x, y *graph.Node) *graph.Node
			want []float64
		}{
			"Greater": {(*graph.Builder).Greater, []float64{0, 1, 0, 1, 1, 0, 0, 0, 0, 1}},
			"Equal":   {(*graph.Builder).Equal, []float64{0, 0, 1, 0, 0, 0, 0, 0, 1, 0}},
		} {
			got := in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return c.f(b, x[0], x[1]) }, nil, x, y)
			in.checkNear(t, name, got[0], c.want)
		}
		clipped := matrix{{-inf, -2, -1, 0, 2, 3, inf, nan, 1e30}}
		back := matrix{{5, nan, inf, 5, 5, inf, 5, 5, 5}}
		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.Clip(x[0], -1, 2) }, back, clipped)
		in.checkNear(t, "Clip", got[0], []float64{-1, -1, -1, 0, 2, 2, 2, nan, 2})
		in.checkNear(t, "Clip to x", got[1], []float64{0, 0, 0, 5, 0, 0, 0, 0, 0})
		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.ClampMax(x[0], 2) }, back, clipped)
		in.checkNear(t, "ClampMax", got[0], []float64{-inf, -2, -1, 0, 2, 2, 2, nan, 2})
		in.checkNear(t, "ClampMax to x", got[1], []float64{5, nan, inf, 5, 0, 0, 0, 0, 0})
	})
}

// The operand that Where does not select has no influence on the value, on the gradient, or on
// gradients further back: here it is a logarithm of numbers that are not positive.
func TestWhere(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	condition := matrix{{1, 0, 1, 0, nan, -1, 1e-30}}
	x := matrix{{1, inf, -inf, nan, nan, nan, 3}}
	y := matrix{{nan, 2, nan, -inf, 5, 6, inf}}
	back := matrix{{2, 3, inf, 4, 5, nan, 7}}
	forEachPlace(t, func(t *testing.T, in place) {
		got := in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.Where(x[0], x[1], x[2]) }, back, condition, x, y)
		in.checkNear(t, "Where", got[0], []float64{1, 2, -inf, -inf, 5, 6, 3})
		in.checkNear(t, "Where to the condition", got[1], make([]float64, 7))
		in.checkNear(t, "Where to x", got[2], []float64{2, 0, inf, 0, 0, 0, 7})
		in.checkNear(t, "Where to y", got[3], []float64{0, 3, 0, 4, 5, nan, 0})

		// A column chooses between a row and a scalar.
		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node {
			return b.Where(x[0], b.Mul(x[1], x[2]), b.Const(-4))
		}, matrix{{1, 2}, {3, 4}}, matrix{{1}, {0}}, matrix{{5, 6}}, matrix{{1, 1}, {nan, inf}})
		in.checkNear(t, "Where of several shapes", got[0], []float64{5, 6, -4, -4})
	})
}

func TestChoicesThatAreNone(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	b.Clip(b.Input("x", 2, 3), 2, 1)
	checkMessage(t, "Clip", b.Err(), "Clip([2 3]): the lower bound 2 is above the upper bound 1 (at choice_test.go:")
	b = graph.New(graph.Float32, new(graph.Params))
	b.ClampMax(b.Input("x", 2, 3), math.NaN())
	checkMessage(t, "ClampMax", b.Err(), "the constant is not a number")
	b = graph.New(graph.Float32, new(graph.Params))
	b.Where(b.Input("c", 2, 1), b.Input("x", 2, 3), b.Input("y", 3, 3))
	checkMessage(t, "Where", b.Err(), "Where([3 3], [2 1]): want equal shapes")
	for name, f := range map[string]func(b *graph.Builder, x, y *graph.Node) *graph.Node{"Min": (*graph.Builder).Min, "Greater": (*graph.Builder).Greater, "Equal": (*graph.Builder).Equal} {
		b := graph.New(graph.Float32, new(graph.Params))
		f(b, b.Input("x", 2, 1), b.Input("y", 1, 2))
		checkMessage(t, name, b.Err(), name+"([2 1], [1 2])", "both would be repeated to [2 2]")
	}
	// Nothing to learn through a comparison.
	b = graph.New(graph.Float32, new(graph.Params))
	b.Gradients(b.Mean(b.Greater(b.Param("p", 2, 3, graph.Uniform(1)), b.Input("x", 2, 3))))
	checkMessage(t, "Gradients", b.Err(), "no parameter receives a gradient")
}
