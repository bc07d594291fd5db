package trainers_test

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

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
