package trainers_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// A training starts from the parameters that it has in common with an earlier one. Parameters of the objective that only one
// of the two has do not matter; parameters of the network do.
func TestTrainingsStartFromCommonParameters(t *testing.T) {
	withParameter := func(name string, columns int) models.Objective {
		return func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(squared(b, t), b.Sum(b.Square(b.Param(name, 1, columns, graph.Fill(0.5)))))
		}
	}
	earlier := trained(t, registered(t, "earlier", models.Method{Objective: withParameter("old", 1)}, nil), short)
	still := short
	still.LearningRate = 1e-9
	start := func(name string, objective models.Objective, initial []*graph.Params) (*trainers.Result, error) {
		spec := registered(t, name, models.Method{Objective: objective}, nil)
		return trainers.Train(t.Context(), spec, wave(50), still, trainers.Options{Initial: initial})
	}
	later := expect.Must(start("later", withParameter("new", 1), earlier.Members))
	for _, p := range later.Members[0].List() {
		got := parameter(t, later.Members[0], p.Name)
		want := []float32{0.5} // the initial value of the new parameter
		if p.Name != "new" {
			want = parameter(t, earlier.Members[0], p.Name)
		}
		for i, v := range got {
			if d := v - want[i]; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s[%d] is %v; want %v", p.Name, i, v, want[i])
			}
		}
	}
	expect.Error(t, expect.ErrorOf(start("of-another-shape", withParameter("old", 2), earlier.Members)), "has other layers than the model")
	expect.Error(t, expect.ErrorOf(start("without-network", squared, []*graph.Params{new(graph.Params)})), "has other layers than the model")
}
