package check_test

import (
	"slices"
	"strings"
	"testing"

	"sml/models"
	"sml/models/methods"
	"sml/trainers/check"
)

// verdict is a method, and the finding that a check must have.
type verdict struct {
	method models.Method
	check  string
	status check.Status
	words  string // part of the message or its details
}

// expect registers the method, which predicts the full network if it has no predictor, under a prefix and the name
// of its mistake, and reports an error unless each examination has the finding.
func (v verdict) expect(t *testing.T, prefix, mistake string, settings ...check.Settings) {
	t.Helper()
	m := v.method
	m.Name = prefix + strings.NewReplacer(" ", "-", ",", "").Replace(mistake)
	if m.Predict == nil {
		m.Predict = methods.PredictFullNetwork
	}
	models.Register(m)
	t.Run(m.Name, func(t *testing.T) {
		t.Parallel()
		for _, s := range settings {
			v.expectIn(t, examine(t, m.Name, s))
		}
	})
}

// expectIn reports an error unless a report has the finding.
func (v verdict) expectIn(t *testing.T, r check.Report) {
	t.Helper()
	isFound := slices.ContainsFunc(r.Findings, func(f check.Finding) bool {
		return f.Check == v.check && f.Status == v.status && strings.Contains(f.Message+"\n"+strings.Join(f.Details, "\n"), v.words)
	})
	if !isFound {
		t.Errorf("seed %d: %s does not say %q, %s:\n%s", r.Seed, v.check, v.words, v.status, r)
	}
}

// examine returns the report about a method.
func examine(t *testing.T, method string, s check.Settings) check.Report {
	t.Helper()
	r, err := check.Method(method, s)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return r
}
