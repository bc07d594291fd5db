package networks_test

import (
	"strings"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
)

// must returns v. It panics if there is an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// errorOf returns the error of a call with two results.
func errorOf[T any](_ T, err error) error { return err }

// checkError fails the test unless the message of err contains all words.
func checkError(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%v does not say %q", err, w)
		}
	}
}

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
	return func(b *graph.Builder) *graph.Node { return must(s.Loss(b, rows)) }
}
