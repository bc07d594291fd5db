package graph_test

import (
	"strings"
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
		t.Errorf("%d layers %v, %v", got, inspection.Layers, b.Err())
	}
	if l, err := graph.FindLayer(inspection.Layers[:2], ""); err != nil || l.Name != "critic.hidden2" {
		t.Errorf("last layer %q, %v", l.Name, err)
	}
	if _, err := graph.FindLayer(inspection.Layers[:2], "hidden1"); err == nil || !strings.Contains(err.Error(), "critic.hidden1, critic.hidden2") {
		t.Error(err)
	}
}
