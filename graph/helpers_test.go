package graph_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
)

type (
	builder = *graph.Builder
	node    = *graph.Node
	nodes   = graph.Nodes
	maker   = func(rows, columns int) node // makes a parameter
)

// newRunner returns a runner, and closes it when the test ends.
func newRunner(t testing.TB, engine graph.Engine, b builder, outputs ...node) *graph.Runner {
	t.Helper()
	r, err := graph.NewRunner(engine, b, outputs...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// run runs r once.
func run(t testing.TB, r *graph.Runner) {
	t.Helper()
	if err := r.Run(); err != nil {
		t.Fatal(err)
	}
}

// outputOf returns output i of r, of either number type.
func outputOf(r *graph.Runner, i int) []float64 {
	values := slices.Clone(r.Output64(i))
	for _, v := range r.Output(i) {
		values = append(values, float64(v))
	}
	return values
}

// set sets an input or parameters in the number type that they have: the slice of the other one is empty.
func set(single []float32, double, values []float64) {
	copy(double, values)
	for i := range single {
		single[i] = float32(values[i])
	}
}

// lossAndGradients returns a loss and its gradients with respect to all parameters.
func lossAndGradients(b builder, loss node) nodes {
	return append(nodes{loss}, b.Gradients(loss)...)
}

// checkGradients compares the gradients of f on both engines with finite differences.
func checkGradients(t *testing.T, name string, f gradcheck.Function, s gradcheck.Settings, tolerance float64) {
	t.Helper()
	gradients, err := gradcheck.Check(f, s)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, g := range gradients {
		if !(g.Error <= tolerance) {
			t.Errorf("%s, %s engine: gradient of %s[%d] is %v, differences give %v", name, g.Engine, g.Name, g.Index, g.Backward, g.Numeric)
		}
	}
}

// checkMessage fails the test unless the message of err contains all words.
func checkMessage(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", what)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %q does not say %q", what, err, w)
		}
	}
}

// evaluate returns the values of nodes for the given values of the parameters.
func evaluate(t *testing.T, engine graph.Engine, b builder, params *graph.Params, values []float64, outputs ...node) [][]float64 {
	t.Helper()
	r := newRunner(t, engine, b, outputs...)
	set(params.Float32s(), params.Float64s(), values)
	run(t, r)
	return allOutputs(r, len(outputs))
}

// allOutputs returns the first n outputs of r.
func allOutputs(r *graph.Runner, n int) (all [][]float64) {
	for i := range n {
		all = append(all, outputOf(r, i))
	}
	return all
}

func checkNear(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if !areNear(got, want, tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// areNear reports whether numbers agree to a tolerance relative to the larger of 1 and the expected number.
func areNear(got, want []float64, tolerance float64) bool {
	for i := range want {
		if len(got) != len(want) || !(math.Abs(got[i]-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			return false
		}
	}
	return true
}
