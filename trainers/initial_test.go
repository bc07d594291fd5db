package trainers_test

import (
	"slices"
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

// A training that keeps the weights of a trained model stores what the model's own training stored after its last
// epoch, for each member.
func TestKeepWeights(t *testing.T) {
	trained := func(s trainers.Settings, o trainers.Options) *trainers.Result {
		t.Helper()
		r := mustTrain(t, keptSpec(t, "laplace-kron"), wave(50), s, o)
		return r
	}
	s := short
	s.Members = 2
	want := trained(s, trainers.Options{})
	s.Epochs = 0
	s.KeepWeights = true
	got := trained(s, trainers.Options{Initial: want.Members})
	if !slices.EqualFunc(got.Members, want.Members, sameWeights) {
		t.Error("the weights are not kept")
	}
	if !slices.EqualFunc(got.Stored, want.Stored, models.EqualMatrices) {
		t.Error("the stored matrices differ from those of the training")
	}
	if len(got.History.Rows) > 0 || got.Steps > 0 {
		t.Errorf("there are %d epochs and %d steps; want none", len(got.History.Rows), got.Steps)
	}
}

// keptSpec returns the spec of a small network of the method.
func keptSpec(t *testing.T, method string) models.Spec {
	t.Helper()
	spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{4}}))
	return spec
}

// sameWeights reports whether parameters have the same values.
func sameWeights(a, b *graph.Params) bool { return slices.Equal(a.Float32s(), b.Float32s()) }

// A training that keeps the weights needs weights, no epochs, and a method that computes with the trained weights.
func TestKeepWeightsMistakes(t *testing.T) {
	params := expect.Must(keptSpec(t, "de").NewParams(1))
	from := trainers.Options{Initial: []*graph.Params{params}}
	for _, c := range []struct {
		method  string
		options trainers.Options
		change  func(*trainers.Settings)
		want    string
	}{
		{"de", from, nil, "method de computes nothing after a training"},
		{"swag", from, nil, "method swag computes with the weights of its steps: choose a number of epochs"},
		{"laplace-ll", trainers.Options{}, nil, "starts from no model: it has random weights"},
		{"laplace-ll", from, func(s *trainers.Settings) { s.Epochs = 3 }, "keeps the weights and has 3 epochs"},
		{"laplace-ll", from, func(s *trainers.Settings) { s.Validation, s.Patience = 0.1, 3 }, "it has no best epoch"},
	} {
		s := short
		s.Epochs = 0
		s.KeepWeights = true
		if c.change != nil {
			c.change(&s)
		}
		expect.Error(t, trainError(t, keptSpec(t, c.method), wave(50), s, c.options), c.want)
	}
}
