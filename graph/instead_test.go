package graph_test

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
)

// affine is x·w + c, of parameters with a prefix.
func affine(b *graph.Builder, x *graph.Node) *graph.Node {
	return b.Linear(x, b.Param("w", 3, 2, graph.Uniform(1)), b.Param("c", 1, 2, graph.Uniform(1)))
}

// ParametersOf returns the parameters from which a node is computed, in their order, without buffers
// and frozen parameters.
func TestParametersOf(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	x := b.Input("x", 4, 3)
	b.Param("alone", 1, 1, graph.Fill(1))
	y := affine(b, x)
	var frozen *graph.Node
	b.Within(graph.Scope{Prefix: "still.", Frozen: true}, func() { frozen = affine(b, x) })
	y = b.Add(b.Mul(y, b.Buffer("running", 1, 2, graph.Fill(1))), frozen)
	for _, c := range []struct {
		of   *graph.Node
		want []string
	}{{y, []string{"w", "c"}}, {b.Mean(b.Square(y)), []string{"w", "c"}}, {b.StopGradient(y), nil}, {frozen, nil}, {x, nil}} {
		var names []string
		for _, n := range b.ParametersOf(c.of) {
			names = append(names, n.Name())
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("parameters %q, want %q", names, c.want)
		}
	}
	if b.Err() != nil {
		t.Fatal(b.Err())
	}
}

// The gradient of a loss with a step of gradient descent inside agrees with finite differences, also
// if only some parameters are replaced.
func TestReplacements(t *testing.T) {
	for _, parts := range []int{0, 1, 2} {
		for _, e := range graph.Engines() {
			found, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
				x := b.Input("x", 4, 3)
				inner := b.Mean(b.Square(b.Tanh(affine(b, x))))
				after := make(map[*graph.Node]*graph.Node)
				weights := b.ParametersOf(inner)
				for i, g := range b.Grad(inner, weights...) {
					if i < parts {
						after[weights[i]] = b.Sub(weights[i], b.Scale(0.7, g))
					}
				}
				var y *graph.Node
				b.Within(graph.Scope{Replacements: after}, func() { y = affine(b, b.Input("x'", 4, 3)) })
				return b.Mean(b.Square(b.Tanh(b.Shift(y, 0.3))))
			}, gradcheck.Settings{Engine: e})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range found {
				if !(g.Error <= 1e-8) || g.Zero {
					t.Errorf("%d parts, %s: gradient of %s is off by %v", parts, e, g.Name, g.Error)
				}
			}
		}
	}
}
