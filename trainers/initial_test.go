package trainers

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
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
	start := func(name string, objective models.Objective, initial []*graph.Params) (*Result, error) {
		spec := registered(t, name, models.Method{Objective: objective}, nil)
		return Train(t.Context(), spec, wave(50), still, Options{Initial: initial})
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

// A training that keeps the weights of a trained model stores what the model's own training stored after its last
// epoch, for each member.
func TestKeepWeights(t *testing.T) {
	trained := func(s Settings, o Options) *Result {
		t.Helper()
		r := mustTrain(t, specOf(t, "laplace-kron"), wave(50), s, o)
		return r
	}
	s := short
	s.Members = 2
	want := trained(s, Options{})
	s.Epochs = 0
	s.KeepWeights = true
	got := trained(s, Options{Initial: want.Members})
	if !slices.EqualFunc(weights(got), weights(want), slices.Equal[[]float32]) {
		t.Error("the weights are not kept")
	}
	if !slices.EqualFunc(got.Stored, want.Stored, models.EqualMatrices) {
		t.Error("the stored matrices differ from those of the training")
	}
	if len(got.History.Rows) > 0 || got.Steps > 0 {
		t.Errorf("there are %d epochs and %d steps; want none", len(got.History.Rows), got.Steps)
	}
}

// A training that keeps the weights needs weights, no epochs, and a method that computes with the trained weights.
func TestKeepWeightsMistakes(t *testing.T) {
	params := expect.Must(specOf(t, "de").NewParams(1))
	from := Options{Initial: []*graph.Params{params}}
	for _, c := range []struct {
		method  string
		options Options
		change  func(*Settings)
		want    string
	}{
		{"de", from, nil, "method de computes nothing after a training"},
		{"swag", from, nil, "method swag computes with the weights of its steps: choose a number of epochs"},
		{"laplace-ll", Options{}, nil, "starts from no model: it has random weights"},
		{"laplace-ll", from, func(s *Settings) { s.Epochs = 3 }, "keeps the weights and has 3 epochs"},
		{"laplace-ll", from, func(s *Settings) { s.Validation, s.Patience = 0.1, 3 }, "it has no best epoch"},
	} {
		s := short
		s.Epochs = 0
		s.KeepWeights = true
		if c.change != nil {
			c.change(&s)
		}
		expect.Error(t, trainError(t, specOf(t, c.method), wave(50), s, c.options), c.want)
	}
}
