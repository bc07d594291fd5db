package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/internal/ops"
)

// instructionsOf returns the kernels and sizes of the instructions that compute outputs.
func instructionsOf(r *graph.Runner) (lines []string) {
	for _, s := range r.Program().Instructions() {
		lines = append(lines, s.Kernel+" "+s.Size)
	}
	return lines
}

// secondMomentStep returns the loss of the second-moment loss and its gradients: a training step with the paper's weights
// and layers of 13, 50, 50 and 1 units on 100 rows.
func secondMomentStep(b builder) nodes {
	x, y := b.Input("x", 100, 13), b.Input("y", 100, 1)
	layer := func(name string, x node, inputs, units int) node {
		return b.Linear(x, b.Param("w"+name, inputs, units, graph.Uniform(1)), b.Param("b"+name, 1, units, graph.Uniform(1)))
	}
	forward := func(pass graph.Pass) node {
		h := b.Dropout(b.ReLU(layer("1", x, 13, 50)), pass, 0, 0.1)
		return layer("3", b.Dropout(b.ReLU(layer("2", h, 50, 50)), pass, 1, 0.1), 50, 1)
	}
	full, sub := forward(graph.Full), forward(graph.Drop(0))
	center := b.StopGradient(full)
	second := b.MSE(b.Abs(b.Sub(sub, center)), b.Abs(b.Sub(y, center)))
	return lossAndGradients(b, b.Add(b.MSE(full, y), b.Scale(0.5, second)))
}

func TestSecondMomentStepIsFused(t *testing.T) {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	outputs := secondMomentStep(b)
	r := newRunner(t, graph.Compiled, b, outputs...)
	lines := instructionsOf(r)
	// 14 products, 5 sums of rows, 2 sums, a transpose, and 19 elementwise instructions on columns
	// or scalars.
	if len(lines) > 41 {
		t.Errorf("%d instructions, want at most 41:\n%q", len(lines), lines)
	}
	loose := []string{"copy", "gorgonia"}
	for _, e := range ops.Table() {
		loose = append(loose, e.Name+" [100 50]")
	}
	for _, line := range lines {
		if slices.ContainsFunc(loose, func(name string) bool { return strings.HasPrefix(line, name) }) {
			t.Errorf("an instruction is %q", line)
		}
	}
	for words, want := range map[string]int{
		"product + bias + relu + mask + both kept [100 50 13]": 1, // of both passes
		"product, transposed [13 50 100]":                      1, // of both gradients
		"transpose [50 50]":                                    1,
	} {
		if n := countPrefix(lines, words); n != want {
			t.Errorf("%d instructions are %q, want %d", n, words, want)
		}
	}
	// The outputs, and at most 8 matrices as large as the activations of a hidden layer at any time.
	// The backward pass needs 4.
	const bound = 1 + (13+1)*50 + (50+1)*50 + (50 + 1) + 8*100*50
	if _, bytes := r.Program().Arena(); bytes > 4*bound {
		t.Errorf("the arena has %d bytes, want at most %d", bytes, 4*bound)
	}

	loss := instructionsOf(newRunner(t, graph.Compiled, b, outputs[0]))
	if n := countPrefix(loss, "product, transposed", "transpose", "sum of rows"); n != 0 {
		t.Errorf("%d instructions of a loss without gradients belong to gradients: %q", n, loss)
	}
	// The last layer's bias: behind the loss, only columns are needed.
	bias := instructionsOf(newRunner(t, graph.Compiled, b, outputs[len(outputs)-1]))
	if n := countPrefix(bias, "product") - countPrefix(loss, "product"); n > 0 {
		t.Errorf("the gradient of the last bias takes %d more products than the loss: %q", n, bias)
	}
}

// countPrefix returns the number of lines that begin with one of the words.
func countPrefix(lines []string, words ...string) (n int) {
	for _, line := range lines {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) }) {
			n++
		}
	}
	return n
}

// Constants are folded, what no output needs is left out, and operations become parts of the products before them.
func TestInstructions(t *testing.T) {
	type build = func(b builder, x node) node // x is a matrix [3 4]
	for want, f := range map[string]build{
		"multiply [3 4]": func(b builder, x node) node { // by one number that constants give
			return b.Mul(x, b.Exp(b.Neg(b.Add(b.Const(2), b.Const(3)))))
		},
		"tanh [3 4]": func(b builder, x node) node { return b.Tanh(b.StopGradient(b.Scale(1, b.Scale(1, x)))) },
		"tanh [3 4]; add [3 4]": func(b builder, x node) node { // the same twice
			return b.Add(b.Tanh(x), b.Tanh(b.StopGradient(x)))
		},
		"sum [3 4]; multiply [1 1]": builder.Mean,
		"product [3 2 4]; tanh [3 2]; product, transposed [4 2 3]": func(b builder, x node) node {
			// Of d/dw Σ h·sg(tanh h) = xᵀ·tanh(h): no branch of the stopped factor is differentiated.
			w := b.Param("w", 4, 2, graph.Uniform(1))
			h := b.MatMul(x, w)
			return b.Grad(b.Sum(b.Mul(h, b.StopGradient(b.Tanh(h)))), w)[0]
		},
		"product + bias + relu [3 5 4]; exp [3 5]": func(b builder, x node) node {
			return b.Exp(b.ReLU(b.Linear(x, b.Param("w", 4, 5, graph.Uniform(1)), b.Param("c", 1, 5, graph.Uniform(1)))))
		},
		"product, transposed [4 2 3]": func(b builder, x node) node { return b.MatMul(b.Transpose(x), b.Input("y", 3, 2)) },
		"transpose [3 4]; product [4 1 3]": func(b builder, x node) node { // a product with a vector sums in another order
			return b.MatMul(b.Transpose(x), b.Input("y", 3, 1))
		},
	} {
		b := graph.New(graph.Float32, new(graph.Params))
		r := newRunner(t, graph.Compiled, b, f(b, b.Input("x", 3, 4)))
		if got := strings.Join(instructionsOf(r), "; "); got != want {
			t.Errorf("instructions %s, want %s", got, want)
		}
	}
}

// A draw of a network that drops units of its first layer begins behind that layer, although the mask could be a part of
// its product. With one draw for all rows, a product applies the mask, a row, as it stores its result.
func TestInstructionsOfDraws(t *testing.T) {
	const first, last = "product + bias + relu [7 9 5]", "product + bias [7 2 10]"
	for oneDraw, want := range map[bool][]string{
		false: {first, "multiply [7 9]", "product + bias + relu + mask [7 10 9]", last},
		true:  {first, "multiply [7 9], by row", "product + bias + relu + mask [7 10 9]", last},
	} {
		b := graph.New(graph.Float32, new(graph.Params))
		graph.Inspect(b).OneDraw = oneDraw
		r := expect.Must(graph.NewSampler(graph.Compiled, b, layers(b, 7, []bool{true, true}, builder.ReLU)[0]))
		defer r.Close()
		if got := instructionsOf(r); !slices.Equal(got, want) {
			t.Errorf("one draw: %t: %q, want %q", oneDraw, got, want)
		}
	}
}

// What happens to a product happens in its order, fused or not: every order of four out of a bias, another product, ReLU, a
// factor of any sign, the gate of another value, and tanh.
func TestTailsKeepTheirOrder(t *testing.T) {
	tails := []func(b builder, p maker, y node) node{
		func(b builder, p maker, y node) node { return b.Add(y, p(1, 7)) },
		func(b builder, p maker, y node) node { return b.Add(b.MatMul(p(6, 3), p(3, 7)), y) },
		func(b builder, p maker, y node) node { return b.ReLU(y) },
		func(b builder, p maker, y node) node { return b.Mul(y, p(6, 7)) },
		func(b builder, p maker, y node) node { return b.Mul(y, b.Greater(p(6, 7), b.Const(0))) },
		func(b builder, p maker, y node) node { return b.Tanh(y) },
	}
	for order := range 6 * 6 * 6 * 6 {
		b, params := newGraph()
		p := func(rows, columns int) node {
			return b.Param(fmt.Sprint(len(params.List())), rows, columns, graph.Uniform(1.5))
		}
		y := b.MatMul(p(6, 5), p(5, 7))
		for rest := order; rest > 0; rest /= 6 {
			y = tails[rest%6](b, p, y)
		}
		r := newRunner(t, graph.Compiled, b, y)
		params.Initialise(3)
		run(t, r)
		want := newInterpreter(func(n node) []float64 { return numbersOf(n.Value()) }).value(y)
		if got := r.Output64(0); !areNear(got, want, 1e-12) {
			t.Fatalf("order %d: %v, want %v\n%q", order, got, want, instructionsOf(r))
		}
	}
}
