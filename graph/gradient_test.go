package graph_test

import (
	"math"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/internal/expect"
)

// x and W of the test below, then v.
var small = []float64{0.5, -1, 2, 0.25, 0.3, -0.7, 1.1, 0.4, 0.9, -1.2}

// The weights' gradient of a gradient penalty, from PyTorch 1.13, float64:
// f = tanh(x·W)·v, g = autograd.grad(f.sum(), x, create_graph=True),
// p = (g**2).sum(1).mean(), autograd.grad(p, [W, v]).
func TestGradientPenalty(t *testing.T) {
	for _, engine := range graph.Engines() {
		b, params := newGraph()
		x, w, v := b.Param("x", 2, 2, graph.Uniform(1)), b.Param("W", 2, 2, graph.Uniform(1)), b.Param("v", 2, 1, graph.Uniform(1))
		g := b.Grad(b.Sum(b.MatMul(b.Tanh(b.MatMul(x, w)), v)), x)[0]
		penalty := b.Scale(0.5, b.Sum(b.Square(g)))
		grads := b.Grad(penalty, w, v)
		got := evaluate(t, engine, b, params, small, append(graph.Nodes{penalty}, grads...)...)
		checkNear(t, "penalty", got[0], []float64{0.34015503322309043}, 1e-13)
		checkNear(t, "by W", got[1], []float64{-0.13976827615471416, -0.2835654010866836, -0.06641005606891379, -0.5571128449639755}, 1e-13)
		checkNear(t, "by v", got[2], []float64{0.4272168483695212, -0.24651241909467647}, 1e-13)
	}
}

// Grad differentiates with respect to any nodes. A path through a StopGradient adds nothing, while other paths do.
// gorgonia.Grad stores its gradients in nodes; Grad still works afterwards, and can differentiate them.
func TestGrad(t *testing.T) {
	for name, c := range map[string]struct {
		build func(b builder, x node) nodes // x is 3 and −2
		want  [][]float64
	}{
		"a node between, several at once, and the scalar itself": {func(b builder, x node) nodes {
			h := b.Scale(3, x)
			y := b.Sum(b.Mul(b.Square(h), x)) // 9x³; by h: 2·3x·x
			return b.Grad(y, x, h, y, x)
		}, [][]float64{{243, 108}, {54, 24}, {1}, {243, 108}}},
		"a stop": {func(b builder, x node) nodes {
			g := b.Grad(b.Sum(b.Mul(x, b.StopGradient(b.Square(x)))), x)[0] // x², not 3x²
			return nodes{g, b.Grad(b.Sum(b.Mul(g, x)), x)[0]}               // the stop holds x² there too
		}, [][]float64{{9, 4}, {9, 4}}},
		"Gorgonia's": {func(b builder, x node) nodes {
			l := b.Sum(b.Mul(b.Square(x), x)) // x³
			theirs := expect.Must(gorgonia.Grad(l, x))
			return append(theirs, b.Gradients(b.Add(l, b.Sum(theirs[0])))...) // 3x² + 6x
		}, [][]float64{{27, 12}, {45, 0}}},
	} {
		for _, engine := range graph.Engines() {
			b, params := newGraph()
			outputs := c.build(b, b.Param("x", 1, 2, graph.Uniform(1)))
			for i, got := range evaluate(t, engine, b, params, []float64{3, -2}, outputs...) {
				checkNear(t, name, got, c.want[i], 1e-14)
			}
		}
	}
}

// A piecewise constant function has a gradient of zeros, such as the slope of |x| and of a ReLU, as in
// PyTorch and JAX.
func TestGradOfPieces(t *testing.T) {
	for name, f := range map[string]func(b *graph.Builder, x *graph.Node) *graph.Node{
		"abs":  func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Grad(b.Sum(b.Abs(x)), x)[0] },
		"relu": func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Grad(b.Sum(b.ReLU(x)), x)[0] },
		"sign": func(_ *graph.Builder, x *graph.Node) *graph.Node { return expect.Must(gorgonia.Sign(x)) },
		"floor": func(_ *graph.Builder, x *graph.Node) *graph.Node {
			return expect.Must(gorgonia.Floor(x))
		},
		"ceil": func(_ *graph.Builder, x *graph.Node) *graph.Node { return expect.Must(gorgonia.Ceil(x)) },
		"gt": func(b *graph.Builder, x *graph.Node) *graph.Node {
			return expect.Must(gorgonia.Gt(x, b.Const(0), true))
		},
	} {
		for _, engine := range graph.Engines() {
			b, params := newGraph()
			x := b.Param("x", 2, 2, graph.Uniform(1))
			y := f(b, x)
			grads := append(b.Grad(b.Sum(b.Square(y)), x), b.Gradients(b.Add(b.Sum(b.Square(y)), b.Sum(x)))...)
			got := evaluate(t, engine, b, params, []float64{1.5, -2.5, math.Inf(1), 0.3}, grads...)
			checkNear(t, name, got[0], make([]float64, 4), 0)
			checkNear(t, name, got[1], []float64{1, 1, 1, 1}, 0)
		}
	}
}

// withoutGradient is an operation that declares a gradient and returns none.
type withoutGradient struct{ gorgonia.Op }

func (withoutGradient) DiffWRT(int) []bool { return nil }

func (withoutGradient) SymDiff(graph.Nodes, *graph.Node, *graph.Node) (graph.Nodes, error) {
	return nil, nil
}

// Operations of other packages have a gradient, or are refused.
func TestOperationsOfOthers(t *testing.T) {
	square := func() gorgonia.Op {
		b := graph.New(graph.Float64, new(graph.Params))
		return b.Square(b.Input("x", 2, 2)).Op()
	}
	for words, op := range map[string]gorgonia.Op{
		"has no gradient, since it has no method SymDiff":                               struct{ gorgonia.Op }{square()},
		"SymDiff returns no gradient for operand 0, but DiffWRT says that there is one": withoutGradient{square()},
	} {
		b := graph.New(graph.Float64, new(graph.Params))
		p := b.Param("p", 2, 2, graph.Uniform(1))
		y := expect.Must(gorgonia.ApplyOp(op, p))
		b.Gradients(b.Sum(y))
		expect.Error(t, b.Err(), words)

		b = graph.New(graph.Float64, new(graph.Params))
		p = b.Param("p", 2, 2, graph.Uniform(1))
		y = expect.Must(gorgonia.ApplyOp(op, p))
		if b.Gradients(b.Add(b.Sum(b.StopGradient(y)), b.Sum(p))); b.Err() != nil {
			t.Errorf("behind a stop: %v", b.Err())
		}
	}
}
