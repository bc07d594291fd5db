package graph_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
)

type (
	builder = *graph.Builder
	node    = *graph.Node
	nodes   = graph.Nodes
	maker   = func(rows, columns int) node // makes a parameter
)

// newGraph returns the builder and the parameters of a graph in float64.
func newGraph() (builder, *graph.Params) {
	params := new(graph.Params)
	return graph.New(graph.Float64, params), params
}

// newRunner returns a runner, and closes it when the test ends.
func newRunner(t testing.TB, engine graph.Engine, b builder, outputs ...node) *graph.Runner {
	t.Helper()
	r, err := graph.NewRunner(engine, b, outputs...)
	expect.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

// run runs r once.
func run(t testing.TB, r *graph.Runner) {
	t.Helper()
	expect.NoError(t, r.Run())
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

// matrix is a matrix, row by row.
type matrix [][]float64

// forEachPlace calls f for both engines and both number types.
func forEachPlace(t *testing.T, f func(t *testing.T, in place)) {
	for _, engine := range graph.Engines() {
		for _, double := range []bool{false, true} {
			f(t, place{engine, double})
		}
	}
}

// place is the engine and the number type in which a graph is computed.
type place struct {
	engine graph.Engine
	double bool
}

func (p place) String() string { return fmt.Sprintf("%s, double %v", p.engine, p.double) }

// newBuilder returns the builder of a graph of the number type.
func (p place) newBuilder(params *graph.Params) builder {
	if p.double {
		return graph.New(graph.Float64, params)
	}
	return graph.New(graph.Float32, params)
}

// evaluate returns the value of an operation on parameters and the gradient with respect to each of
// them, given the gradient back with respect to the value, all row by row.
func (p place) evaluate(t *testing.T, f func(b builder, x nodes) node, back matrix, xs ...matrix) [][]float64 {
	t.Helper()
	params := new(graph.Params)
	b := p.newBuilder(params)
	var x nodes
	var all []float64
	for i, m := range xs {
		x = append(x, b.Param(fmt.Sprint("x", i), len(m), len(m[0]), graph.Uniform(1)))
		all = append(all, slices.Concat(m...)...)
	}
	y := f(b, x)
	outputs := nodes{y}
	if back != nil {
		outputs = append(outputs, b.Gradients(b.Sum(b.Mul(y, b.Input("back", len(back), len(back[0])))))...)
	}
	r := newRunner(t, p.engine, b, outputs...)
	if back != nil {
		set(r.Input("back"), r.Input64("back"), slices.Concat(back...))
	}
	set(params.Float32s(), params.Float64s(), all)
	run(t, r)
	return allOutputs(r, len(outputs))
}

// checkNear compares numbers, to the precision of the number type.
func (p place) checkNear(t *testing.T, what string, got, want []float64) {
	t.Helper()
	tolerance := 2e-6
	if p.double {
		tolerance = 1e-14
	}
	p.check(t, what, got, want, tolerance)
}

// check compares numbers, to a tolerance relative to the expected numbers. With a tolerance of 0 they are
// equal, or both NaN.
func (p place) check(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s, %v: %v, want %v", what, p, got, want)
		return
	}
	for i, w := range want {
		if !p.double {
			w = float64(float32(w))
		}
		if got[i] != w && !(math.Abs(got[i]-w) <= tolerance*max(math.Abs(w), 0.01)) && !(math.IsNaN(got[i]) && math.IsNaN(w)) {
			t.Errorf("%s, %v: number %d is %v, want %v\n%v", what, p, i, got[i], w, got)
		}
	}
}

type operator = func(b *graph.Builder, x *graph.Node) *graph.Node
