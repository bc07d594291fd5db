package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/internal/expect"
	"sml/internal/ops"
)

// secondMomentStep returns the training step of the second-moment loss, with the
// paper's weights and layers of 13, 50, 50 and 1 units on 100 rows, in plain
// Gorgonia: loss and gradients of all parameters, and the masks.
func secondMomentStep() (outputs, masks gorgonia.Nodes, params int) {
	const rows = 100
	g := gorgonia.NewGraph()
	input := func(name string, rows, cols int) node { return drawnInput[float32](g, name, rows, cols) }
	constant := func(v float64) node {
		return g.AddNode(gorgonia.NewConstant(float32(v), gorgonia.WithName(fmt.Sprint("constant ", v))))
	}
	x, y := input("x", rows, 13), input("y", rows, 1)
	widths := []int{13, 50, 50, 1}
	var weights, biases gorgonia.Nodes
	for i, units := range widths[1:] {
		weights = append(weights, input(fmt.Sprint("weight ", i), widths[i], units))
		biases = append(biases, input(fmt.Sprint("bias ", i), 1, units))
		params += (widths[i] + 1) * units
	}
	masks = gorgonia.Nodes{input("mask 0", rows, 50), input("mask 1", rows, 50)}
	forward := func(drop bool) node {
		h := x
		for i := range weights {
			h = expect.Must(gorgonia.BroadcastAdd(expect.Must(gorgonia.Mul(h, weights[i])), biases[i], nil, []byte{0}))
			if i < len(masks) {
				h = expect.Must(gorgonia.HadamardProd(h, expect.Must(gorgonia.Gt(h, constant(0), true))))
				if drop {
					h = expect.Must(gorgonia.HadamardProd(h, masks[i]))
				}
			}
		}
		return h
	}
	mse := func(a, b node) node {
		return expect.Must(gorgonia.HadamardProd(expect.Must(gorgonia.Sum(expect.Must(gorgonia.Square(expect.Must(gorgonia.Sub(a, b)))))), constant(1.0/rows)))
	}
	full, sub := forward(false), forward(true)
	center := expect.Must(gorgonia.ApplyOp(ops.NewStopGradient(), full))
	second := mse(expect.Must(gorgonia.Abs(expect.Must(gorgonia.Sub(sub, center)))), expect.Must(gorgonia.Abs(expect.Must(gorgonia.Sub(y, center)))))
	loss := expect.Must(gorgonia.Add(mse(full, y), expect.Must(gorgonia.HadamardProd(second, constant(0.5)))))
	var all gorgonia.Nodes
	for i := range weights {
		all = append(all, weights[i], biases[i])
	}
	return append(gorgonia.Nodes{loss}, expect.Must(gorgonia.Grad(loss, all...))...), masks, params
}

func compile32(t *testing.T, outputs, masks gorgonia.Nodes, sampling bool) *Program[float32] {
	t.Helper()
	return expect.Must(Compile[float32](outputs, masks, nil, sampling))
}

func (p *Program[T]) lines() []string { return strings.Split(strings.TrimSpace(p.String()), "\n") }

// count returns the number of instructions whose names begin with the words.
func (p *Program[T]) count(words string) int {
	n := 0
	for _, line := range p.lines() {
		if strings.HasPrefix(line, words) {
			n++
		}
	}
	return n
}

func TestSecondMomentStepIsFused(t *testing.T) {
	outputs, masks, params := secondMomentStep()
	p := compile32(t, outputs, masks, false)
	// 14 products, 5 sums of rows, 2 sums, a transpose, and 19 elementwise instructions on columns
	// or scalars.
	if n := len(p.instructions); n > 41 {
		t.Errorf("%d instructions, want at most 41", n)
	}
	for _, line := range p.lines() {
		loose := []string{"copy", "gorgonia"}
		for _, e := range ops.Table() {
			loose = append(loose, e.Name+" [100 50]")
		}
		for _, name := range loose {
			if strings.HasPrefix(line, name) {
				t.Errorf("an instruction is %q", line)
			}
		}
	}
	for words, want := range map[string]int{
		"product + bias + relu + mask + both kept [100 50 13]": 1, // of both passes
		"product, transposed [13 50 100]":                      1, // of both gradients
		"transpose [50 50]":                                    1,
	} {
		if n := p.count(words); n != want {
			t.Errorf("%d instructions are %q, want %d", n, words, want)
		}
	}
	// The outputs, and at most 8 matrices as large as the activations of a hidden layer at any time.
	// The backward pass needs 4.
	if bound := 1 + params + 8*100*50; len(p.arena) > bound {
		t.Errorf("the arena holds %d numbers, want at most %d", len(p.arena), bound)
	}
	if err := checkPlan(p); err != nil {
		t.Error(err)
	}
	if t.Failed() {
		t.Log(p)
	}
}

// Only an elementwise step reads a repeated value, and it reads it where the
// original lies.
func TestRepeatsAreNotMaterialised(t *testing.T) {
	outputs, masks, _ := secondMomentStep()
	for _, v := range compile32(t, outputs, masks, false).order {
		for _, a := range v.operands() {
			if a.kind == kindBroadcast && v.kind != kindBinary {
				t.Errorf("a value of kind %d and shape %v reads a repeat of %v as %v", v.kind, v.shape, a.args[0].shape, a.shape)
			}
		}
	}
}

func TestOnlyWhatOutputsNeed(t *testing.T) {
	outputs, masks, _ := secondMomentStep()
	loss := compile32(t, outputs[:1], masks, false)
	if n := loss.count("product, transposed") + loss.count("transpose") + loss.count("sum of rows"); n != 0 {
		t.Errorf("%d steps of a loss without gradients belong to gradients:\n%v", n, loss)
	}
	// The last layer's bias: behind the loss, only columns are needed.
	bias := compile32(t, outputs[len(outputs)-1:], masks, false)
	if n := bias.count("product") - loss.count("product"); n > 0 {
		t.Errorf("the gradient of the last bias takes %d more products than the loss:\n%v", n, bias)
	}
}

// A loss with a stop-gradient on one of its factors has the gradient of the other factor alone.
func TestStoppedBranchesAreGone(t *testing.T) {
	g := gorgonia.NewGraph()
	x, w := drawnInput[float32](g, "x", 9, 8), drawnInput[float32](g, "w", 8, 7)
	h := expect.Must(gorgonia.Mul(x, w))
	loss := expect.Must(gorgonia.Sum(expect.Must(gorgonia.HadamardProd(h, expect.Must(gorgonia.ApplyOp(ops.NewStopGradient(), tanh(h)))))))
	grads := expect.Must(gorgonia.Grad(loss, w))
	p := compile32(t, grads, nil, false)
	// Of d/dw Σ h·sg(tanh h) = xᵀ·tanh(h): h, tanh and one product.
	if n := len(p.instructions); n != 3 {
		t.Errorf("%d steps, want 3:\n%v", n, p)
	}
}

// A draw of a network that drops units of its first layer begins behind that
// layer, although the mask could be the tail of its product.
func TestSamplerKeepsWhatMasksDoNotReach(t *testing.T) {
	g := gorgonia.NewGraph()
	input := func(name string, rows, cols int) node { return drawnInput[float32](g, name, rows, cols) }
	layer := func(x node, w, b node) node {
		return expect.Must(gorgonia.BroadcastAdd(expect.Must(gorgonia.Mul(x, w)), b, nil, []byte{0}))
	}
	mask := input("mask", 9, 8)
	h := layer(input("x", 9, 13), input("w", 13, 8), input("b", 1, 8))
	h = expect.Must(gorgonia.HadamardProd(h, expect.Must(gorgonia.Gt(h, g.AddNode(gorgonia.NewConstant(float32(0))), true))))
	h = expect.Must(gorgonia.HadamardProd(h, mask))
	p := compile32(t, gorgonia.Nodes{layer(h, input("v", 8, 7), input("c", 1, 7))}, gorgonia.Nodes{mask}, true)
	var draw []string
	for _, s := range p.instructions[p.firstDynamicInstruction:] {
		draw = append(draw, s.name)
	}
	if want := []string{"multiply [9 8]", "product + bias [9 7 8]"}; !slices.Equal(draw, want) {
		t.Errorf("a draw takes %q, want %q", draw, want)
	}
}

func TestConstantsAreFolded(t *testing.T) {
	g := gorgonia.NewGraph()
	constant := func(v float32) node { return g.AddNode(gorgonia.NewConstant(v, gorgonia.WithName(fmt.Sprint(v)))) }
	for name, c := range map[string]struct {
		make func(x node) node
		want string
	}{
		"a number of constants": {func(x node) node {
			c := expect.Must(gorgonia.Exp(expect.Must(gorgonia.Neg(expect.Must(gorgonia.Add(constant(2), constant(3)))))))
			return expect.Must(gorgonia.HadamardProd(x, c))
		}, "multiply [3 4]"},
		"times one": {func(x node) node {
			return tanh(expect.Must(gorgonia.HadamardProd(expect.Must(gorgonia.HadamardProd(x, constant(1))), constant(1))))
		}, "tanh [3 4]"},
		"a length":            {func(x node) node { return expect.Must(gorgonia.HadamardDiv(x, expect.Must(gorgonia.SizeOf(0, x)))) }, "divide [3 4]"},
		"one reads the other": {func(x node) node { return tanh(expect.Must(gorgonia.ApplyOp(ops.NewStopGradient(), x))) }, "tanh [3 4]"},
		"the same twice": {func(x node) node {
			stopped := expect.Must(gorgonia.ApplyOp(ops.NewStopGradient(), x))
			return expect.Must(gorgonia.Add(tanh(x), tanh(stopped)))
		}, "tanh [3 4]\nadd [3 4]"},
		"mean": {func(x node) node { return expect.Must(gorgonia.Mean(x)) }, "sum [3 4]\ndivide [1 1]"},
	} {
		x := drawnInput[float32](g, name, 3, 4)
		if got := strings.Join(compile32(t, gorgonia.Nodes{c.make(x)}, nil, false).lines(), "\n"); got != c.want {
			t.Errorf("%s: steps\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// What happens to a product happens in its order, fused or not: every order
// of four out of a bias, another matrix, ReLU, a factor of any sign and the gate
// of another value.
func TestTailsKeepTheirOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	names := []string{"bias", "add", "relu", "mask", "gate", "tanh"}
	var orders [][]int
	for i := range len(names) * len(names) * len(names) * len(names) {
		orders = append(orders, []int{i % 6, i / 6 % 6, i / 36 % 6, i / 216})
	}
	for _, order := range orders {
		g := gorgonia.NewGraph()
		input := func(name string, rows, cols int) node { return drawnInput[float32](g, name, rows, cols) }
		zero := g.AddNode(gorgonia.NewConstant(float32(0)))
		y := expect.Must(gorgonia.Mul(input("x", 6, 5), input("w", 5, 7)))
		var text []string
		for i, what := range order {
			text = append(text, names[what])
			name := fmt.Sprint(names[what], i)
			switch names[what] {
			case "bias":
				y = expect.Must(gorgonia.BroadcastAdd(y, input(name, 1, 7), nil, []byte{0}))
			case "add":
				y = expect.Must(gorgonia.Add(expect.Must(gorgonia.Mul(input(name+" x", 6, 3), input(name+" w", 3, 7))), y))
			case "relu":
				y = expect.Must(gorgonia.HadamardProd(y, expect.Must(gorgonia.Gt(y, zero, true))))
			case "mask":
				y = expect.Must(gorgonia.HadamardProd(y, input(name, 6, 7)))
			case "gate":
				y = expect.Must(gorgonia.HadamardProd(y, expect.Must(gorgonia.Gt(input(name, 6, 7), zero, true))))
			case "tanh":
				y = tanh(y)
			}
		}
		want := expect.Must(evaluateNodes[float32](gorgonia.Nodes{y}))
		got, p, err := compiled[float32](gorgonia.Nodes{y}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(got[0], want[0], 0); !(d <= tolerance[float32]()) {
			t.Fatalf("%v: differs by %.2g\n%v", text, d, p)
		}
	}
}
