package graph_test

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
	"sml/internal/expect"
)

// Outputs may be anything: inputs, constants, one node twice, one node under
// several shapes, nodes that other outputs need.
func TestOutputsOfEveryKind(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Input("x", 2, 3)
	constant := b.Const(7.5)
	square := expect.Must(gorgonia.Square(x))
	long := expect.Must(gorgonia.Reshape(square, tensor.Shape{3, 2}))
	flat := expect.Must(gorgonia.Reshape(square, tensor.Shape{6}))
	shifted := expect.Must(gorgonia.Add(square, constant))
	same := expect.Must(gorgonia.Reshape(x, tensor.Shape{6}))
	sum := expect.Must(gorgonia.Sum(square))
	values, squares := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 4, 9, 16, 25, 36}
	for range 2 { // a second program over the same nodes
		r := newRunner(t, graph.Compiled, b, long, x, constant, square, square, flat, shifted, same, sum)
		copy(r.Input64("x"), values)
		run(t, r)
		for i, want := range [][]float64{squares, values, {7.5}, squares, squares, squares, {8.5, 11.5, 16.5, 23.5, 32.5, 43.5}, values, {91}} {
			if got := r.Output64(i); !slices.Equal(got, want) {
				t.Errorf("output %d is %v, want %v", i, got, want)
			}
		}
	}
}

// Outputs that cannot be computed are an error that names the reason.
func TestOutputsOfNoKind(t *testing.T) {
	b, _ := newGraph()
	n := gorgonia.NewScalar(b.Graph(), tensor.Int, gorgonia.WithName("n"), gorgonia.WithValue(3))
	unbound := gorgonia.NewVector(b.Graph(), gorgonia.Float64, gorgonia.WithShape(3), gorgonia.WithName("ages"))
	for want, outputs := range map[string]nodes{
		"output 1 is nil": {b.Input("x", 1, 1), nil},
		"no output":       nil,
		"int":             {expect.Must(gorgonia.Add(n, n))},
		`input "ages" has no value: bind one with Let`: {expect.Must(gorgonia.Square(unbound))},
	} {
		_, err := graph.NewRunner(graph.Compiled, b, outputs...)
		expect.Error(t, err, want)
	}
	_, err := graph.NewRunner(graph.Tape, b, nil)
	expect.Error(t, err, "output 0 is nil")
}

// Kernels that do not exist are an error of whoever compiles, not a panic at
// start nor a silent choice. The variable is read at start, so this takes
// another process.
func TestUnknownKernels(t *testing.T) {
	if os.Getenv("SML_KERNELS") == "nonsense" {
		b := graph.New(graph.Float32, new(graph.Params))
		_, err := graph.NewRunner(graph.Compiled, b, b.Mean(b.Input("x", 2, 2)))
		expect.Error(t, err, "SML_KERNELS", "nonsense", "portable")
		if _, err := graph.NewRunner(graph.Tape, b, b.Mean(b.Input("y", 2, 2))); err != nil {
			t.Errorf("the tape machine needs no kernels: %v", err)
		}
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestUnknownKernels$")
	child.Env = append(os.Environ(), "SML_KERNELS=nonsense")
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
