package methods_test

import (
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// Builder.Gradients makes the nodes that gorgonia.Grad makes, sums in the same
// order: results that were published keep their last bit.
func TestGradientsAreGorgonias(t *testing.T) {
	for _, m := range models.Methods() {
		s := expect.Must(models.NewSpec(m.Name, nil, models.Architecture{Inputs: 3, Targets: 2, Hidden: []int{5, 4}, Dropout: 0.1}))
		params := new(graph.Params)
		ours, theirs := graph.New(graph.Float32, params), graph.New(graph.Float32, params)
		l := expect.Must(s.Loss(ours, 6))
		other := expect.Must(s.Loss(theirs, 6))
		var wrt graph.Nodes
		for _, p := range params.List() {
			wrt = append(wrt, theirs.Graph().ByName(p.Name)[0])
		}
		want, err := gorgonia.Grad(other, wrt...)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for i, g := range ours.Gradients(l) {
			if !graph.SameComputation(g, want[i]) {
				t.Errorf("%s: the gradient of %s is computed otherwise than Gorgonia's", m.Name, params.List()[i].Name)
			}
		}
	}
}
