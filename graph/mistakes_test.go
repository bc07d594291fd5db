package graph_test

import (
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
)

// says fails the test unless an error has all the words.
func says(t *testing.T, what string, err error, words ...string) {
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
		says(t, name, b.Err(), name+"([6 1], [1 6])", "both would be repeated to [6 6]", "gorgonia.Transpose", "gorgonia.BroadcastSub", "(at mistakes_test.go:")

		b = graph.New(graph.Float32, new(graph.Params))
		op(b, b.Input("x", 6, 1), gorgonia.Must(gorgonia.Sum(b.Input("y", 6, 2), 1)))
		says(t, name, b.Err(), name+"([6 1], [6])", "neither the column [n 1] nor the row [1 n]", "gorgonia.Reshape")
	}
	b := graph.New(graph.Float64, new(graph.Params))
	b.MSE(b.Input("x", 6, 1), gorgonia.Must(gorgonia.Sum(b.Input("y", 6, 2), 1)))
	says(t, "MSE", b.Err(), "MSE([6 1], [6])", "want equal shapes")
}

// What is repeated in one operand alone goes on as before.
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
				p := b.Param("p", 6, 2, 1)
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
					_, err := graph.Open(engine, b, outputs...)
					says(t, string(engine)+name, err, want, "gorgonia.Reshape", name)
				}
				_, err = graph.Compile(outputs...)
				says(t, "Compile"+name, err, want)
			}
		}
	}
}

// An input that nobody asks for would be computed with as zeros.
func TestUnfilledInputs(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float32, new(graph.Params))
		r, err := graph.Open(engine, b, b.Mean(b.Add(b.Input("x", 2, 2), b.Input("noise", 2, 2))))
		if err != nil {
			t.Fatal(err)
		}
		r.Input("x")[0] = 1
		says(t, string(engine), r.Run(), `nothing fills the input "noise"`)
		r.Input("noise")[0] = 1
		if err := r.Run(); err != nil || r.Output(0)[0] != 0.5 {
			t.Errorf("%s: %v, %v", engine, r.Output(0), err)
		}
		r.Close()
	}
	b := graph.New(graph.Float32, new(graph.Params))
	b.FilledBy("a training", "x", "y")
	b.Input("x", 1, 1)
	b.Input("noise", 1, 1)
	says(t, "FilledBy", b.Err(), `a training fills x and y, and nothing fills "noise"`, "(at mistakes_test.go:")
}

// Gorgonia keeps what a gradient was in its nodes, and adds it to the next.
func TestGradientsAreTakenOnce(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	p := b.Param("p", 2, 2, 1)
	l := b.Mean(b.Square(p))
	if b.Gradients(l); b.Err() != nil {
		t.Fatal(b.Err())
	}
	b.Gradients(b.Add(l, b.Sum(p)))
	says(t, "twice", b.Err(), "gradients are taken once", "Gradients was called (at mistakes_test.go:")

	b = graph.New(graph.Float64, new(graph.Params))
	p = b.Param("p", 2, 2, 1)
	l = b.Mean(b.Square(p))
	if _, err := gorgonia.Grad(l, p); err != nil {
		t.Fatal(err)
	}
	b.Gradients(b.Add(l, b.Sum(p)))
	says(t, "gorgonia.Grad", b.Err(), "gradients are taken once", "gorgonia.Grad was called")
}

// Gorgonia's BinaryXent rewrites log(1 − x) and frees the difference, which is
// in use: its gradient is not computed from whatever the node becomes.
func TestRecycledNodes(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float64, new(graph.Params))
		p := b.Sigmoid(b.Param("p", 2, 2, 1))
		entropy, err := gorgonia.BinaryXent(p, b.Input("y", 2, 2))
		if err != nil {
			t.Skip("Gorgonia says so itself: ", err)
		}
		l := b.Mean(entropy)
		_, err = graph.Open(engine, b, append(graph.Nodes{l}, b.Gradients(l)...)...)
		if err == nil {
			t.Errorf("%s: a graph with a recycled node was opened", engine)
		}
	}
}
