package trainers

import (
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// newTestMember returns the first member of a training on rows.
func newTestMember(t *testing.T, spec models.Spec, s Settings, rows data.Subset) *member {
	t.Helper()
	s = expect.Must(Resolve(spec, s))
	m := expect.Must(newMember(spec, s, 0, standardiseRows(spec, rows)))
	t.Cleanup(m.close)
	return m
}

// mustTrain is Train that must not fail.
func mustTrain(t *testing.T, spec models.Spec, rows data.Subset, s Settings, o Options) *Result {
	t.Helper()
	return expect.Must(Train(t.Context(), spec, rows, s, o))
}

// trainError returns the error of Train.
func trainError(t *testing.T, spec models.Spec, rows data.Subset, s Settings, o Options) error {
	return expect.ErrorOf(Train(t.Context(), spec, rows, s, o))
}
