package models_test

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/models"
)

// Of mean 5 and standard deviation 2 in the first target's unit, −1 and 10 in the second's:
// x·std + mean by hand.
func TestUnstandardised(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	y := b.Input("y", 2, 2)
	r, err := graph.NewRunner(graph.Compiled, b, models.NewTask(b, nil, y, nil).Unstandardised(y))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	copy(r.Input("y"), []float32{1, 2, -0.5, 0})
	copy(r.Input("y mean"), []float32{5, -1})
	copy(r.Input("y std"), []float32{2, 10})
	if err := r.Run(); err != nil {
		t.Fatal(err)
	}
	if got := r.Output(0); !slices.Equal(got, []float32{7, 19, 4, -1}) {
		t.Errorf("got %v", got)
	}
}

// Sub-network i is the pass that drops by masks i.
func TestSubNetworks(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	x := b.Input("x", 2, 3)
	f := func(pass graph.Pass) *graph.Node { return b.Dropout(x, pass, 0, 0.5) }
	for i, n := range models.NewTask(b, f, x, nil).SubNetworks(3) {
		if n != f(graph.Drop(i)) {
			t.Errorf("sub-network %d is another", i)
		}
	}
	if b.Err() != nil {
		t.Fatal(b.Err())
	}
}
