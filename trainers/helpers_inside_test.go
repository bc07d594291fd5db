package trainers

import (
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// newSpec is models.NewSpec that must not fail.
func newSpec(t testing.TB, method string, h models.Hyperparameters, a models.Architecture) models.Spec {
	t.Helper()
	spec, err := models.NewSpec(method, h, a)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// newParams returns the parameters with which a member of the seed starts.
func newParams(t *testing.T, spec models.Spec, seed uint64) *graph.Params {
	t.Helper()
	params, err := spec.NewParams(seed)
	if err != nil {
		t.Fatal(err)
	}
	return params
}

// mustTrain is Train that must not fail.
func mustTrain(t *testing.T, spec models.Spec, rows data.Subset, s Settings, o Options) *Result {
	t.Helper()
	r, err := Train(t.Context(), spec, rows, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// newTestMember returns the first member of a training on rows.
func newTestMember(t *testing.T, spec models.Spec, s Settings, rows data.Subset) *member {
	t.Helper()
	s, err := Resolve(spec, s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMember(spec, s, 0, standardiseRows(spec, rows))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.close)
	return m
}

// wantError reports an error to t unless the message of err has the wanted text.
func wantError(t *testing.T, name string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v; want %q", name, err, want)
	}
}
