package networks_test

import (
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
)

// checkGradients compares gradients with finite differences, and returns the comparisons.
func checkGradients(t *testing.T, what string, f gradcheck.Function, s gradcheck.Settings, tolerance float64) []gradcheck.Gradient {
	t.Helper()
	gradients, err := gradcheck.Check(f, s)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, g := range gradients {
		if !(g.Error <= tolerance) && g.Scale > 1e-8 { // a bias before a norm has no effect
			t.Errorf("%s, %s engine: gradient of %s[%d] is %v, differences give %v", what, g.Engine, g.Name, g.Index, g.Backward, g.Numeric)
		}
	}
	return gradients
}

// lossOf returns the loss of a batch.
func lossOf(s models.Spec, rows int) gradcheck.Function {
	return func(b *graph.Builder) *graph.Node { return expect.Must(s.Loss(b, rows)) }
}
