package graph_test

import (
	"strings"
	"testing"

	"sml/graph"
)

// Layers have names of their own in a pass, and are matrices.
func TestLayerMistakes(t *testing.T) {
	for want, build := range map[string]func(b *graph.Builder, x *graph.Node){
		"needs a name": func(b *graph.Builder, x *graph.Node) { b.Layer("", x) },
		"already":      func(b *graph.Builder, x *graph.Node) { b.Layer("a", x); b.Layer("a", x) },
		"[rows units]": func(b *graph.Builder, x *graph.Node) { b.Layer("a", b.Mean(x)) },
	} {
		b := graph.New(graph.Float32, new(graph.Params))
		x := b.Input("x", 3, 2)
		graph.Inspect(b).RunPass(func() { build(b, x) })
		if err := b.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	b := graph.New(graph.Float32, new(graph.Params))
	if b.Layer("a", b.Input("x", 3, 2)); b.Err() == nil || !strings.Contains(b.Err().Error(), "forward pass") {
		t.Errorf("outside of a network: %v", b.Err())
	}
}

// Each pass has layers of its own, with the prefix of the scope.
func TestLayersOfPasses(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	x := b.Input("x", 3, 2)
	inspection := graph.Inspect(b)
	for range 2 {
		b.Within(graph.Scope{Prefix: "critic."}, func() {
			inspection.RunPass(func() { b.Layer("hidden1", x); b.Layer("hidden2", x) })
		})
	}
	if got := len(inspection.Layers); b.Err() != nil || got != 4 {
		t.Errorf("%d layers %v, %v", got, inspection.Layers, b.Err())
	}
	if l, err := graph.FindLayer(inspection.Layers[:2], ""); err != nil || l.Name != "critic.hidden2" {
		t.Errorf("last layer %q, %v", l.Name, err)
	}
	if _, err := graph.FindLayer(inspection.Layers[:2], "hidden1"); err == nil || !strings.Contains(err.Error(), "critic.hidden1, critic.hidden2") {
		t.Error(err)
	}
}
