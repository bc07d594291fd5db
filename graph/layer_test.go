package graph_test

import (
	"testing"

	"sml/graph"
)

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
		t.Fatalf("%d layers %v, %v", got, inspection.Layers, b.Err())
	}
	for i, want := range []string{"critic.hidden1", "critic.hidden2", "critic.hidden1", "critic.hidden2"} {
		if name := inspection.Layers[i].Name; name != want {
			t.Errorf("layer %d is %q; want %q", i, name, want)
		}
	}
}
