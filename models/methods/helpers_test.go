package methods_test

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
		if !(g.Error <= tolerance) {
			t.Errorf("%s, %s engine: gradient of %s[%d] is %v, differences give %v", what, g.Engine, g.Name, g.Index, g.Backward, g.Numeric)
		}
	}
	return gradients
}

// lossOf returns the loss of a batch.
func lossOf(s models.Spec, rows int) gradcheck.Function {
	return func(b *graph.Builder) *graph.Node { return expect.Must(s.Loss(b, rows)) }
}

// set sets an input of either number type.
func set(r *graph.Runner, input string, values ...float64) {
	copy(r.Input64(input), values)
	copy(r.Input(input), singles(values))
}

// outputOf returns output i of r, of either number type.
func outputOf(r *graph.Runner, i int) []float64 {
	return append(doubles(r.Output(i)), r.Output64(i)...)
}
