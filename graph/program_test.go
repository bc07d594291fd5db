package graph_test

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
)

var must = gorgonia.Must

func compile(t *testing.T, outputs ...*graph.Node) *graph.Program {
	t.Helper()
	p, err := graph.Compile(outputs...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func runAll(t *testing.T, vm gorgonia.VM) {
	t.Helper()
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
	vm.Reset()
}

// numbers returns a node's present value.
func numbers(t *testing.T, n *graph.Node) []float64 {
	t.Helper()
	switch d := n.Value().Data().(type) {
	case float64:
		return []float64{d}
	case []float64:
		return slices.Clone(d)
	}
	t.Fatalf("%v has the value %v", n, n.Value())
	return nil
}

func vector(data ...float64) *tensor.Dense {
	return tensor.New(tensor.WithShape(len(data)), tensor.WithBacking(data))
}

// Linear regression as Gorgonia's own tutorial writes it, without anything of
// this package but Compile in place of NewTapeMachine. The points lie on
// y = 2x + 1, so that is where gradient descent ends.
func TestLinearRegressionInPlainGorgonia(t *testing.T) {
	g := gorgonia.NewGraph()
	x := gorgonia.NewVector(g, gorgonia.Float64, gorgonia.WithShape(4), gorgonia.WithName("x"))
	y := gorgonia.NewVector(g, gorgonia.Float64, gorgonia.WithShape(4), gorgonia.WithName("y"))
	m := gorgonia.NewScalar(g, gorgonia.Float64, gorgonia.WithName("m"), gorgonia.WithValue(0.3))
	c := gorgonia.NewScalar(g, gorgonia.Float64, gorgonia.WithName("c"), gorgonia.WithValue(-0.2))
	prediction := must(gorgonia.Add(must(gorgonia.Mul(x, m)), c))
	cost := must(gorgonia.Mean(must(gorgonia.Square(must(gorgonia.Sub(prediction, y))))))
	grads, err := gorgonia.Grad(cost, m, c)
	if err != nil {
		t.Fatal(err)
	}
	gorgonia.Let(x, vector(0, 1, 2, 3))
	gorgonia.Let(y, vector(1, 3, 5, 7))
	vm := compile(t, append(gorgonia.Nodes{cost, prediction}, grads...)...)
	defer vm.Close()
	if f := vm.Fallbacks(); len(f) > 0 {
		t.Errorf("%q have no kernel", f)
	}

	runAll(t, vm)
	// By hand: predictions −0.2, 0.1, 0.4, 0.7 and residuals −1.2, −2.9, −4.6,
	// −6.3. Cost (1.44+8.41+21.16+39.69)/4; d/dm = ½(−2.9−9.2−18.9), d/dc = ½(−15).
	for n, want := range map[*graph.Node][]float64{
		cost: {17.675}, prediction: {-0.2, 0.1, 0.4, 0.7}, grads[0]: {-15.5}, grads[1]: {-7.5},
	} {
		got := numbers(t, n)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-14 {
				t.Errorf("%v is %v, want %v", n, got, want)
				break
			}
		}
	}
	for range 2000 {
		runAll(t, vm)
		gorgonia.Let(m, numbers(t, m)[0]-0.1*numbers(t, grads[0])[0])
		gorgonia.Let(c, numbers(t, c)[0]-0.1*numbers(t, grads[1])[0])
	}
	if m, c := numbers(t, m)[0], numbers(t, c)[0]; math.Abs(m-2) > 1e-9 || math.Abs(c-1) > 1e-9 {
		t.Errorf("y = %vx + %v, want 2x + 1", m, c)
	}
}

// Gorgonia's solvers work on the values of nodes, so they work with a Program.
func TestGorgoniaSolver(t *testing.T) {
	g := gorgonia.NewGraph()
	w := gorgonia.NewMatrix(g, gorgonia.Float64, gorgonia.WithShape(2, 2), gorgonia.WithName("w"),
		gorgonia.WithValue(tensor.New(tensor.WithShape(2, 2), tensor.WithBacking([]float64{3, -2, 1, 5}))))
	cost := must(gorgonia.Sum(must(gorgonia.Square(w))))
	grads, err := gorgonia.Grad(cost, w)
	if err != nil {
		t.Fatal(err)
	}
	vm := compile(t, cost, grads[0])
	solver := gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(0.25))
	for range 3 { // each step halves w
		runAll(t, vm)
		if err := solver.Step(gorgonia.NodesToValueGrads(gorgonia.Nodes{w})); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := numbers(t, w), []float64{3.0 / 8, -2.0 / 8, 1.0 / 8, 5.0 / 8}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestLetBetweenRuns(t *testing.T) {
	g := gorgonia.NewGraph()
	x := gorgonia.NewVector(g, gorgonia.Float64, gorgonia.WithShape(3), gorgonia.WithName("x"))
	y := must(gorgonia.Square(x))
	gorgonia.Let(x, vector(1, 2, 3))
	vm := compile(t, y)
	runAll(t, vm)
	value := y.Value()
	other := vector(4, 5, 6)
	gorgonia.Let(x, other)
	runAll(t, vm)
	if got, want := numbers(t, y), []float64{16, 25, 36}; !slices.Equal(got, want) {
		t.Errorf("another tensor: %v, want %v", got, want)
	}
	other.Data().([]float64)[0] = 10
	runAll(t, vm)
	if got := numbers(t, y); got[0] != 100 {
		t.Errorf("another number in the tensor: %v, want 100 first", got)
	}
	if y.Value() != value {
		t.Error("the output has another value after another run")
	}
}

func TestUnboundInput(t *testing.T) {
	g := gorgonia.NewGraph()
	x := gorgonia.NewVector(g, gorgonia.Float64, gorgonia.WithShape(3), gorgonia.WithName("ages"))
	y := must(gorgonia.Square(x))
	vm, err := graph.Compile(y)
	if err == nil {
		err = vm.RunAll()
	}
	if err == nil || !strings.Contains(err.Error(), `"ages"`) || !strings.Contains(err.Error(), "Let") {
		t.Errorf("%v, want an error that names the input and says what to do", err)
	}
}

// Outputs may be anything: inputs, constants, one node twice, one node under
// several shapes, nodes that other outputs need.
func TestOutputsOfEveryKind(t *testing.T) {
	g := gorgonia.NewGraph()
	x := gorgonia.NewMatrix(g, gorgonia.Float64, gorgonia.WithShape(2, 3), gorgonia.WithName("x"))
	gorgonia.Let(x, tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float64{1, 2, 3, 4, 5, 6})))
	constant := g.AddNode(gorgonia.NewConstant(7.5))
	square := must(gorgonia.Square(x))
	long := must(gorgonia.Reshape(square, tensor.Shape{3, 2}))
	flat := must(gorgonia.Reshape(square, tensor.Shape{6}))
	shifted := must(gorgonia.Add(square, constant))
	same := must(gorgonia.Reshape(x, tensor.Shape{6}))
	sum := must(gorgonia.Sum(square))
	outputs := gorgonia.Nodes{long, x, constant, square, square, flat, shifted, same, sum}
	for range 2 { // a second program over the same nodes
		vm := compile(t, outputs...)
		runAll(t, vm)
		for n, want := range map[*graph.Node][]float64{
			long: {1, 4, 9, 16, 25, 36}, x: {1, 2, 3, 4, 5, 6}, constant: {7.5}, square: {1, 4, 9, 16, 25, 36},
			flat: {1, 4, 9, 16, 25, 36}, shifted: {8.5, 11.5, 16.5, 23.5, 32.5, 43.5}, same: {1, 2, 3, 4, 5, 6}, sum: {91},
		} {
			if got := numbers(t, n); !slices.Equal(got, want) {
				t.Errorf("%v is %v, want %v", n, got, want)
			}
			if !n.IsScalar() && !slices.Equal(n.Value().Shape(), n.Shape()) {
				t.Errorf("%v has shape %v, want %v", n, n.Value().Shape(), n.Shape())
			}
		}
		x.Value().Data().([]float64)[0] = 1
	}
}

// Two programs may compute the same node: after a run its value is that
// program's.
func TestTwoProgramsOverOneGraph(t *testing.T) {
	g := gorgonia.NewGraph()
	x := gorgonia.NewVector(g, gorgonia.Float64, gorgonia.WithShape(2), gorgonia.WithName("x"))
	gorgonia.Let(x, vector(1, 2))
	square := must(gorgonia.Square(x))
	sum := must(gorgonia.Sum(square))
	seven := g.AddNode(gorgonia.NewConstant(7.0))
	first := compile(t, square, sum, seven)
	second := compile(t, sum, square, must(gorgonia.Add(sum, seven)), seven)
	for i, vm := range []*graph.Program{first, second, first} {
		x.Value().Data().([]float64)[0] = float64(10 * i)
		runAll(t, vm)
		want := float64(100*i*i) + 4
		if got := numbers(t, sum)[0]; got != want {
			t.Errorf("run %d: the sum is %v, want %v", i, got, want)
		}
		if got := numbers(t, square)[0]; got != want-4 {
			t.Errorf("run %d: the square is %v, want %v", i, got, want-4)
		}
		if got := numbers(t, seven)[0]; got != 7 {
			t.Errorf("run %d: the constant is %v, want 7", i, got)
		}
	}
}

func TestNoOutput(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float32, new(graph.Params))
		_, err := graph.NewRunner(engine, b, b.Input("x", 1, 1), nil)
		says(t, string(engine), err, "output 1 is nil")
	}
}

func TestNothingToCompile(t *testing.T) {
	if _, err := graph.Compile(); err == nil || !strings.Contains(err.Error(), "no output") {
		t.Errorf("%v", err)
	}
	g := gorgonia.NewGraph()
	n := gorgonia.NewScalar(g, tensor.Int, gorgonia.WithName("n"), gorgonia.WithValue(3))
	if _, err := graph.Compile(must(gorgonia.Add(n, n))); err == nil || !strings.Contains(err.Error(), "int") {
		t.Errorf("a graph of integers: %v", err)
	}
}

// Kernels that do not exist are an error of whoever compiles, not a panic at
// start nor a silent choice. The variable is read at start, so this takes
// another process.
func TestUnknownKernels(t *testing.T) {
	if os.Getenv("SML_KERNELS") == "nonsense" {
		g := gorgonia.NewGraph()
		x := gorgonia.NewScalar(g, gorgonia.Float64, gorgonia.WithName("x"), gorgonia.WithValue(1.0))
		_, err := graph.Compile(must(gorgonia.Square(x)))
		if err == nil {
			t.Fatal("no error")
		}
		for _, word := range []string{"SML_KERNELS", "nonsense", "portable"} {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q does not say %q", err, word)
			}
		}
		b := graph.New(graph.Float32, new(graph.Params))
		if _, err := graph.NewRunner(graph.Compiled, b, b.Mean(b.Input("x", 2, 2))); err == nil {
			t.Error("NewRunner gives no error")
		}
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
