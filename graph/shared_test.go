package graph_test

import (
	"slices"
	"testing"

	"sml/graph"
)

func TestSharedParameters(t *testing.T) {
	for name, c := range map[string]struct {
		build func(b *graph.Builder, x *graph.Node, w func(string) *graph.Node) *graph.Node
		want  []string
	}{
		"own weights": {func(b *graph.Builder, x *graph.Node, w func(string) *graph.Node) *graph.Node {
			return b.MatMul(b.Tanh(b.MatMul(x, w("a"))), w("b"))
		}, nil},
		"one for two layers": {func(b *graph.Builder, x *graph.Node, w func(string) *graph.Node) *graph.Node {
			return b.MatMul(b.Tanh(b.MatMul(b.MatMul(x, w("a")), w("b"))), w("a"))
		}, []string{"a"}},
		"transposed": {func(b *graph.Builder, x *graph.Node, w func(string) *graph.Node) *graph.Node {
			return b.MatMul(b.Tanh(b.MatMul(x, w("a"))), b.Transpose(w("a")))
		}, []string{"a"}},
		"the same product twice": {func(b *graph.Builder, x *graph.Node, w func(string) *graph.Node) *graph.Node {
			return b.Add(b.Tanh(b.MatMul(x, w("a"))), b.MatMul(x, w("a")))
		}, nil},
		"normalised by a product with itself": {func(b *graph.Builder, x *graph.Node, w func(string) *graph.Node) *graph.Node {
			norm := b.Sum(b.MatMul(w("a"), w("a")))
			return b.MatMul(x, b.Div(w("a"), b.Shift(b.Square(norm), 1)))
		}, nil},
	} {
		b := graph.New(graph.Float64, new(graph.Params))
		x := b.Input("x", 5, 3)
		y := c.build(b, x, func(name string) *graph.Node { return b.Param(name, 3, 3, graph.Uniform(1)) })
		if b.Err() != nil {
			t.Fatal(name, b.Err())
		}
		if got := graph.Inspect(b).SharedParameters(y, x); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
