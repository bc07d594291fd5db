package graph_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
)

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

// A column and a row would make a matrix of all pairs, and a vector is neither:
// the builder's methods say so, and what to do.
func TestColumnsRowsAndVectorsAreToldApart(t *testing.T) {
	for name, op := range map[string]func(b *graph.Builder, x, y *graph.Node) *graph.Node{
		"Add": (*graph.Builder).Add, "Sub": (*graph.Builder).Sub, "Mul": (*graph.Builder).Mul, "Div": (*graph.Builder).Div,
	} {
		b := graph.New(graph.Float32, new(graph.Params))
		op(b, b.Input("x", 6, 1), b.Input("y", 1, 6))
		checkMessage(t, name, b.Err(), name+"([6 1], [1 6])", "both would be repeated to [6 6]", "b.Transpose", "b.Repeat", "(at mistakes_test.go:")

		b = graph.New(graph.Float32, new(graph.Params))
		op(b, b.Input("x", 6, 1), gorgonia.Must(gorgonia.Sum(b.Input("y", 6, 2), 1)))
		checkMessage(t, name, b.Err(), name+"([6 1], [6])", "neither the column [n 1] nor the row [1 n]", "b.Reshape")
	}
	for want, build := range map[string]func(b *graph.Builder){
		"Repeat([6 2]): to [6 3]: want a scalar, a row [1 3] or a column [6 1]": func(b *graph.Builder) { b.Repeat(b.Input("x", 6, 2), 6, 3) },
		"Repeat([1 6]): to [0 6]: want a row or a column, and positive":         func(b *graph.Builder) { b.Repeat(b.Input("x", 1, 6), 0, 6) },
	} {
		b := graph.New(graph.Float32, new(graph.Params))
		build(b)
		checkMessage(t, want, b.Err(), want)
	}
	b := graph.New(graph.Float64, new(graph.Params))
	b.MSE(b.Input("x", 6, 1), gorgonia.Must(gorgonia.Sum(b.Input("y", 6, 2), 1)))
	checkMessage(t, "MSE", b.Err(), "MSE([6 1], [6])", "want equal shapes")
}

// An operand that only repeats along an axis is accepted.
func TestOneOperandIsRepeated(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	m := b.Input("m", 6, 4)
	for name, other := range map[string]*graph.Node{
		"row": b.Input("row", 1, 4), "column": b.Input("column", 6, 1), "one": b.Input("one", 1, 1), "scalar": b.Const(2),
	} {
		for _, y := range []*graph.Node{b.Add(m, other), b.Sub(other, m)} {
			if b.Err() != nil || !y.Shape().Eq(tensor.Shape{6, 4}) {
				t.Fatalf("%s: %v, %v", name, y.Shape(), b.Err())
			}
		}
	}
}

// Gorgonia takes [6 1] and [6] for equal shapes, and its own functions pair
// them: no engine runs such a graph.
func TestShapesThatGorgoniaTakesForEqual(t *testing.T) {
	for _, dtype := range []tensor.Dtype{graph.Float32, graph.Float64} {
		for name, op := range map[string]func(x, y *graph.Node) (*graph.Node, error){
			"+": gorgonia.Add, "-": gorgonia.Sub, "⊙": gorgonia.HadamardProd, "÷": gorgonia.HadamardDiv,
		} {
			for _, swapped := range []bool{false, true} {
				b := graph.New(dtype, new(graph.Params))
				p := b.Param("p", 6, 2, graph.Uniform(1))
				x, y := b.Input("x", 6, 1), gorgonia.Must(gorgonia.Sum(p, 1))
				want := "[6 1] and [6]"
				if swapped {
					x, y, want = y, x, "[6] and [6 1]"
				}
				node, err := op(x, y)
				if err != nil {
					continue // Gorgonia tells them apart itself
				}
				loss := b.Sum(b.Square(node))
				outputs := append(graph.Nodes{loss}, b.Gradients(loss)...)
				for _, engine := range graph.Engines() {
					_, err := graph.NewRunner(engine, b, outputs...)
					checkMessage(t, string(engine)+name, err, want, "b.Reshape", name)
				}
			}
		}
	}
}

// A run fails if an input was never requested: its values would be zeros.
func TestUnfilledInputs(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float32, new(graph.Params))
		r, err := graph.NewRunner(engine, b, b.Mean(b.Add(b.Input("x", 2, 2), b.Input("noise", 2, 2))))
		if err != nil {
			t.Fatal(err)
		}
		r.Input("x")[0] = 1
		checkMessage(t, string(engine), r.Run(), `nothing fills the input "noise"`)
		r.Input("noise")[0] = 1
		if err := r.Run(); err != nil || r.Output(0)[0] != 0.5 {
			t.Errorf("%s: %v, %v", engine, r.Output(0), err)
		}
		r.Close()
	}
	b := graph.New(graph.Float32, new(graph.Params))
	inspection := graph.Inspect(b)
	inspection.Filler = "a training"
	inspection.FillerInputs = []string{"x", "y"}
	b.Input("x", 1, 1)
	b.Input("noise", 1, 1)
	checkMessage(t, "SetFiller", b.Err(), `a training fills x and y, and nothing fills "noise"`, "(at mistakes_test.go:")
}

// Gorgonia's BinaryXent rewrites log(1 − x) and frees the difference, which is
// still in use. Its gradient is refused, not computed from the node that takes its place.
func TestRecycledNodes(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float64, new(graph.Params))
		p := b.Sigmoid(b.Param("p", 2, 2, graph.Uniform(1)))
		entropy, err := gorgonia.BinaryXent(p, b.Input("y", 2, 2))
		if err != nil {
			t.Skip("Gorgonia says so itself: ", err)
		}
		l := b.Mean(entropy)
		_, err = graph.NewRunner(engine, b, append(graph.Nodes{l}, b.Gradients(l)...)...)
		if err == nil {
			t.Errorf("%s: a graph with a recycled node was opened", engine)
		}
	}
}

// A constant that float32 rounds to 0 or infinity, or that is NaN, is an error with the line of the
// constant. Infinite constants are accepted, and small and large ones in float64.
func TestConstantsThatFloat32CannotHold(t *testing.T) {
	for name, op := range map[string]func(b *graph.Builder, v float64) *graph.Node{
		"Const":    (*graph.Builder).Const,
		"Scale":    func(b *graph.Builder, v float64) *graph.Node { return b.Scale(v, b.Input("x", 1, 1)) },
		"Shift":    func(b *graph.Builder, v float64) *graph.Node { return b.Shift(b.Input("x", 1, 1), v) },
		"ClampMin": func(b *graph.Builder, v float64) *graph.Node { return b.ClampMin(b.Input("x", 1, 1), v) },
		"WeightedSum": func(b *graph.Builder, v float64) *graph.Node {
			return b.WeightedSum(graph.Term{Name: "a", Weight: v, Value: b.Sum(b.Input("x", 1, 1))})
		},
	} {
		for v, word := range map[float64]string{1e-46: "is 0 in float32", -1e39: "is -Inf in float32", math.NaN(): "not a number"} {
			b := graph.New(graph.Float32, new(graph.Params))
			op(b, v)
			checkMessage(t, name, b.Err(), word, "(at mistakes_test.go:")
			b = graph.New(graph.Float64, new(graph.Params))
			if op(b, v); b.Err() != nil && !math.IsNaN(v) {
				t.Errorf("%s in float64: %v", name, b.Err())
			}
		}
		b := graph.New(graph.Float32, new(graph.Params))
		if op(b, math.Inf(-1)); b.Err() != nil {
			t.Errorf("%s: %v", name, b.Err())
		}
	}
}

// Gorgonia takes two leaves of one name and shape for one.
func TestNamesTellInputsAndParametersApart(t *testing.T) {
	for _, c := range []struct {
		words string
		build func(b *graph.Builder)
	}{
		{`there is an input "a" already`, func(b *graph.Builder) { b.Input("a", 2, 2); b.Param("a", 2, 2, graph.Uniform(1)) }},
		{`there is a parameter "a" already`, func(b *graph.Builder) { b.Param("a", 2, 2, graph.Uniform(1)); b.Input("a", 2, 2) }},
		{"a parameter needs a name", func(b *graph.Builder) { b.Param("", 2, 2, graph.Uniform(1)) }},
		{"an input needs a name", func(b *graph.Builder) { b.Input("", 2, 2) }},
		{`parameter "a" cannot start from Uniform(NaN)`, func(b *graph.Builder) { b.Param("a", 2, 2, graph.Uniform(math.NaN())) }},
		{`there is a term "a" already`, func(b *graph.Builder) {
			b.WeightedSum(graph.Term{Name: "a", Weight: 1, Value: b.Const(1)}, graph.Term{Name: "a", Weight: 1, Value: b.Const(2)})
		}},
	} {
		b := graph.New(graph.Float32, new(graph.Params))
		c.build(b)
		checkMessage(t, c.words, b.Err(), c.words, "(at mistakes_test.go:")
	}
}

func TestNoErrorIsNoFailure(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	if b.Fail(nil); b.Err() != nil {
		t.Errorf("Fail(nil) makes the error %v", b.Err())
	}
}

// A stream has 24 bits for the pass. A larger number would denote the full network, or share the masks
// of another sub-network.
func TestSubNetworksHaveNumbers(t *testing.T) {
	graph.Drop(1<<24 - 2)
	for _, i := range []int{-1, -2, 1<<24 - 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Drop(%d) is a pass", i)
				}
			}()
			graph.Drop(i)
		}()
	}
}

// Operations that Gorgonia differentiates wrongly (gradcheck finds it) are
// refused where a gradient would go through them, and only there.
func TestWrongGradientsOfGorgonia(t *testing.T) {
	wrong := map[string]func(x *graph.Node) (*graph.Node, error){
		"Dropout": func(x *graph.Node) (*graph.Node, error) { return gorgonia.Dropout(x, 0.5) },
		"BatchNorm": func(x *graph.Node) (*graph.Node, error) {
			y, _, _, _, err := gorgonia.BatchNorm(gorgonia.Must(gorgonia.Reshape(x, tensor.Shape{4, 3, 1, 1})), nil, nil, 0.9, 1e-5)
			if err != nil {
				return nil, err
			}
			return gorgonia.Reshape(y, tensor.Shape{4, 3})
		},
	}
	for name, op := range wrong {
		b := graph.New(graph.Float64, new(graph.Params))
		loss := b.Mean(gorgonia.Must(op(b.Shift(b.Param("p", 4, 3, graph.Uniform(1)), 2))))
		b.Gradients(loss)
		checkMessage(t, name, b.Err(), "Gorgonia's gradient of", "is wrong or missing: ")
		b = graph.New(graph.Float64, new(graph.Params))
		loss = b.Mean(gorgonia.Must(op(b.Shift(b.Param("p", 4, 3, graph.Uniform(1)), 2))))
		checkMessage(t, name, graph.Inspect(b).CheckTrainable(loss))
		b = graph.New(graph.Float64, new(graph.Params))
		p := b.Param("p", 4, 3, graph.Uniform(1))
		if b.Gradients(b.Mean(b.Mul(p, gorgonia.Must(op(b.StopGradient(b.Shift(p, 2))))))); b.Err() != nil {
			t.Errorf("%s of what is stopped: %v", name, b.Err())
		}
	}
}

// A training is repeated by its seed, and saved by its parameters.
func TestTrainable(t *testing.T) {
	for words, build := range map[string]func(b *graph.Builder, p *graph.Node) *graph.Node{
		"draws numbers that do not follow from a seed": func(b *graph.Builder, p *graph.Node) *graph.Node {
			return b.Mul(p, gorgonia.GaussianRandomNode(b.Graph(), b.Dtype(), 0, 1, 2, 2))
		},
		`nothing fills or trains the node "w"`: func(b *graph.Builder, p *graph.Node) *graph.Node {
			return b.Mul(p, gorgonia.NewMatrix(b.Graph(), b.Dtype(), gorgonia.WithShape(2, 2), gorgonia.WithName("w"), gorgonia.WithInit(gorgonia.GlorotU(1))))
		},
		"another graph": func(b *graph.Builder, _ *graph.Node) *graph.Node {
			return graph.New(b.Dtype(), new(graph.Params)).Input("x", 2, 2)
		},
		"gorgonia.Grad has differentiated": func(b *graph.Builder, p *graph.Node) *graph.Node {
			grads, err := gorgonia.Grad(b.Sum(b.Square(p)), p)
			if err != nil {
				t.Fatal(err)
			}
			return b.Sum(b.Mul(grads[0], p))
		},
		"": func(b *graph.Builder, p *graph.Node) *graph.Node {
			four := gorgonia.NewConstant(tensor.New(tensor.WithShape(2, 2), tensor.WithBacking([]float64{1, 2, 3, 4})))
			return b.Mul(b.Input("x", 2, 2), b.Dropout(gorgonia.Must(gorgonia.HadamardProd(p, four)), graph.Drop(0), 0, 0.5))
		},
	} {
		b := graph.New(graph.Float64, new(graph.Params))
		n := build(b, b.Param("p", 2, 2, graph.Uniform(1)))
		if b.Err() != nil {
			t.Fatal(b.Err())
		}
		if err := graph.Inspect(b).CheckTrainable(n); words == "" && err != nil {
			t.Error(err)
		} else if words != "" {
			checkMessage(t, words, err, words)
		}
	}
}

// Constants of several numbers reach both engines.
func TestTensorConstants(t *testing.T) {
	for _, engine := range graph.Engines() {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		constant := func(backing ...float64) *graph.Node {
			return gorgonia.NewConstant(tensor.New(tensor.WithShape(2, 2), tensor.WithBacking(backing)))
		}
		x := gorgonia.Must(gorgonia.HadamardProd(b.Param("p", 2, 2, graph.Uniform(1)), constant(1, 2, 3, 4)))
		loss := b.Sum(gorgonia.Must(gorgonia.Add(x, constant(10, 20, 30, 40))))
		r, err := graph.NewRunner(engine, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
		if err != nil {
			t.Fatal(err)
		}
		copy(params.Float64s(), []float64{1, 1, 1, 1})
		if err := r.Run(); err != nil || r.Output64(0)[0] != 110 || !slices.Equal(r.Output64(1), []float64{1, 2, 3, 4}) {
			t.Errorf("%s: %v, gradient %v, %v", engine, r.Output64(0), r.Output64(1), err)
		}
		r.Close()
	}
}

func TestSame(t *testing.T) {
	build := func(c float64, name string, swap bool) *graph.Node {
		b := graph.New(graph.Float32, new(graph.Params))
		x, y := b.Scale(c, b.Input("x", 2, 2)), b.Tanh(b.Param(name, 2, 2, graph.Uniform(1)))
		if swap {
			x, y = y, x
		}
		return b.Mean(b.ClampMin(b.Add(x, y), c))
	}
	for name, c := range map[string]struct {
		other *graph.Node
		want  bool
	}{
		"itself": {build(2, "w", false), true}, "a constant": {build(3, "w", false), false},
		"a name": {build(2, "v", false), false}, "an order": {build(2, "w", true), false},
	} {
		if got := graph.SameComputation(build(2, "w", false), c.other); got != c.want {
			t.Errorf("%s: same is %v", name, got)
		}
	}
}
