package gradcheck_test

import (
	"regexp"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/graph/gradcheck"
)

const tolerance = 1e-6

// Every operation of Builder, as a scalar function of parameters p and q.
func TestOperations(t *testing.T) {
	type function = gradcheck.Function
	unary := func(op func(b *graph.Builder, x *graph.Node) *graph.Node) function {
		return func(b *graph.Builder) *graph.Node {
			p := b.Param("p", 4, 3, graph.Uniform(1))
			return b.Mean(b.Mul(b.Input("weight", 4, 3), op(b, p)))
		}
	}
	binary := func(rows, columns int, op func(b *graph.Builder, x, y *graph.Node) *graph.Node) function {
		return func(b *graph.Builder) *graph.Node {
			x := op(b, b.Param("p", 4, 3, graph.Uniform(1)), b.Param("q", rows, columns, graph.Uniform(1)))
			return b.Mean(b.Mul(b.Input("weight", x.Shape()[0], x.Shape()[1]), x))
		}
	}
	// positive moves parameters in (−1, 1) to where roots and logarithms live.
	positive := func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Shift(x, 1.5) }
	both := func(op func(b *graph.Builder, x, y *graph.Node) *graph.Node) map[string]function {
		return map[string]function{
			"same":    binary(4, 3, op),
			"row":     binary(1, 3, op),
			"column":  binary(4, 1, op),
			"one":     binary(1, 1, op),
			"swapped": binary(1, 3, func(b *graph.Builder, x, y *graph.Node) *graph.Node { return op(b, y, x) }),
			"scalar": binary(4, 3, func(b *graph.Builder, x, y *graph.Node) *graph.Node {
				return op(b, x, b.Sum(y))
			}),
		}
	}
	cases := map[string]map[string]function{
		"Neg":      {"": unary((*graph.Builder).Neg)},
		"Abs":      {"": unary((*graph.Builder).Abs)},
		"Square":   {"": unary((*graph.Builder).Square)},
		"Exp":      {"": unary((*graph.Builder).Exp)},
		"Tanh":     {"": unary((*graph.Builder).Tanh)},
		"Sigmoid":  {"": unary((*graph.Builder).Sigmoid)},
		"Softplus": {"": unary((*graph.Builder).Softplus)},
		"ReLU":     {"": unary((*graph.Builder).ReLU)},
		"Sqrt":     {"": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Sqrt(positive(b, x)) })},
		"Log":      {"": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Log(positive(b, x)) })},
		"ClampMin": {"": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.ClampMin(x, 0.2) })},
		"Scale":    {"": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Scale(-2.5, x) })},
		"Shift":    {"": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Square(b.Shift(x, 0.3)) })},
		"Columns": {
			"one": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Mul(x, b.Columns(x, 1, 2)) }),
			"some": unary(func(b *graph.Builder, x *graph.Node) *graph.Node {
				return b.Concat(b.Square(b.Columns(x, 1, 3)), b.Columns(x, 0, 1))
			}),
			"all": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Columns(x, 0, 3) }),
		},
		"Dropout": {"": unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Dropout(x, graph.Drop(0), 0, 0.4) })},
		"Sum":     {"": func(b *graph.Builder) *graph.Node { return b.Square(b.Sum(b.Param("p", 2, 3, graph.Uniform(1)))) }},
		"Mean":    {"": func(b *graph.Builder) *graph.Node { return b.Exp(b.Mean(b.Param("p", 2, 3, graph.Uniform(1)))) }},
		"MSE": {"": func(b *graph.Builder) *graph.Node {
			return b.MSE(b.Param("p", 2, 3, graph.Uniform(1)), b.Param("q", 2, 3, graph.Uniform(1)))
		}},
		"WeightedSum": {"": func(b *graph.Builder) *graph.Node {
			p := b.Param("p", 2, 3, graph.Uniform(1))
			return b.WeightedSum(graph.Term{Name: "a", Weight: 0.7, Value: b.Mean(b.Exp(p))}, graph.Term{Name: "b", Weight: 1, Value: b.Sum(p)}, graph.Term{Name: "c", Value: b.Sum(p)})
		}},
		"Add": both((*graph.Builder).Add),
		"Sub": both((*graph.Builder).Sub),
		"Mul": both((*graph.Builder).Mul),
		"Div": both(func(b *graph.Builder, x, y *graph.Node) *graph.Node { return b.Div(x, b.Shift(b.Square(y), 0.5)) }),
		"MatMul": {"": binary(3, 5, (*graph.Builder).MatMul), "to column": binary(3, 1, (*graph.Builder).MatMul),
			"from column": func(b *graph.Builder) *graph.Node {
				return b.Mean(b.Square(b.MatMul(b.Param("p", 4, 1, graph.Uniform(1)), b.Param("q", 1, 3, graph.Uniform(1)))))
			}},
		"Linear": {"": func(b *graph.Builder) *graph.Node {
			return b.Mean(b.Square(b.Linear(b.Input("x", 4, 3), b.Param("w", 3, 2, graph.Uniform(1)), b.Param("c", 1, 2, graph.Uniform(1)))))
		}},
		"StopGradient": {"": func(b *graph.Builder) *graph.Node {
			p := b.Param("p", 4, 3, graph.Uniform(1))
			return b.MSE(b.Square(p), b.StopGradient(b.Exp(p)))
		}, "scaled": func(b *graph.Builder) *graph.Node {
			p := b.Param("p", 2, 2, graph.Uniform(1))
			return b.Mean(b.Add(b.Square(p), b.Scale(3, b.StopGradient(p))))
		}},
		"plain Gorgonia": {"": unary(func(b *graph.Builder, x *graph.Node) *graph.Node {
			return gorgonia.Must(gorgonia.Cube(gorgonia.Must(gorgonia.Sin(x))))
		})},
	}
	for name, variants := range cases {
		for variant, f := range variants {
			for seed := range uint64(3) {
				check(t, name+" "+variant, f, seed)
			}
		}
	}
}

func check(t *testing.T, name string, f gradcheck.Function, seed uint64) {
	t.Helper()
	gradients, err := gradcheck.Check(f, gradcheck.Settings{Seed: seed})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, g := range gradients {
		if !(g.Error <= tolerance) {
			t.Errorf("%s, seed %d: gradient of %s[%d] is %v, differences give %v (relative error %.1e)",
				name, seed, g.Name, g.Index, g.Backward, g.Numeric, g.Error)
		}
	}
}

// wrongGradient is an operation with a wrong gradient.
type wrongGradient struct{ gorgonia.SDOp }

func (wrongGradient) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return gorgonia.Nodes{grad}, nil
}

func (wrongGradient) DiffWRT(int) []bool { return []bool{true} }

// If engines differ, the error has the value on each of them. The sigmoid of the tape machine is
// exactly 1 above 19, and 1 − σ(20) = 1/(1 + e²⁰) = 2.06115e-9.
func TestEnginesThatDiffer(t *testing.T) {
	_, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		return b.Sum(b.Scale(1e9, b.Sub(b.Const(1), b.Sigmoid(b.Param("p", 1, 1, graph.Fill(20))))))
	}, gradcheck.Settings{})
	if err == nil || !regexp.MustCompile(`^the value is 2\.0611.* on the compiled engine, 0 on the tape engine, and 2\.0611.* on the compiled engine without gradients$`).MatchString(err.Error()) {
		t.Error(err)
	}
}

func TestFindsWrongGradient(t *testing.T) {
	gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		p := b.Param("p", 2, 2, graph.Uniform(1))
		square := gorgonia.Must(gorgonia.Square(p)).Op().(gorgonia.SDOp)
		return b.Mean(gorgonia.Must(gorgonia.ApplyOp(wrongGradient{square}, b.Exp(p))))
	}, gradcheck.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if gradients[0].Error < 0.01 {
		t.Errorf("a wrong gradient has error %v", gradients[0].Error)
	}
}

// Values behind a StopGradient receive no gradient, on any path.
func TestStopLetsNothingThrough(t *testing.T) {
	gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		p, q := b.Param("p", 2, 2, graph.Uniform(1)), b.Param("q", 2, 2, graph.Uniform(1))
		return b.Mean(b.Mul(b.Exp(q), b.StopGradient(b.Exp(p))))
	}, gradcheck.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if !gradients[0].Zero || gradients[1].Zero {
		t.Errorf("zero gradients: p %v (want true), q %v (want false)", gradients[0].Zero, gradients[1].Zero)
	}
}

func TestNothingToCheck(t *testing.T) {
	if _, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		return b.Mean(b.StopGradient(b.Param("p", 2, 2, graph.Uniform(1))))
	}, gradcheck.Settings{}); err == nil {
		t.Error("a function without any gradient passed the check")
	}
	if _, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		return b.MatMul(b.Param("p", 2, 3, graph.Uniform(1)), b.Param("q", 2, 3, graph.Uniform(1)))
	}, gradcheck.Settings{}); err == nil {
		t.Error("a failed builder passed the check")
	}
}

// A ReLU after biases of 0 and rows of zeros is not checked at its kink.
func TestBiasesOfZero(t *testing.T) {
	gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		x := b.ReLU(b.Input("x", 4, 2))
		h := b.ReLU(b.Linear(x, b.Param("weight", 2, 8, graph.Uniform(1)), b.Param("bias", 1, 8, graph.Fill(0))))
		return b.Mean(b.Square(b.Shift(h, 1)))
	}, gradcheck.Settings{Value: func(_ string, i int, drawn float64) float64 { return drawn - float64(2*(i/2)) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gradients {
		if !(g.Error <= tolerance) {
			t.Errorf("gradient of %s[%d] is %v, differences give %v", g.Name, g.Index, g.Backward, g.Numeric)
		}
	}
}

// reluFunction returns the mean square of 8,192 ReLUs whose operand op makes of matrix products:
// some kink lies within any step of a difference but the shortest.
func reluFunction(op func(b *graph.Builder, x *graph.Node) *graph.Node) gradcheck.Function {
	return func(b *graph.Builder) *graph.Node {
		x, w := b.Input("x", 64, 16), b.Param("w", 16, 128, graph.Uniform(1))
		h := op(b, b.Linear(x, w, b.Param("bias", 1, 128, graph.Uniform(1))))
		return b.Mean(b.Square(b.MatMul(h, b.Param("out", 128, 1, graph.Uniform(1)))))
	}
}

func TestKinksAreNoErrors(t *testing.T) {
	for seed := range uint64(5) {
		gradients, err := gradcheck.Check(reluFunction((*graph.Builder).ReLU), gradcheck.Settings{Seed: seed, MaxElements: 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range gradients {
			if !(g.Error <= tolerance) {
				t.Errorf("seed %d: gradient of %s[%d] is %v, differences give %v", seed, g.Name, g.Index, g.Backward, g.Numeric)
			}
		}
	}
}

// Kinks do not hide a derivative with an error of a thousandth.
func TestWrongDerivativeBesideKinks(t *testing.T) {
	f := reluFunction(func(b *graph.Builder, x *graph.Node) *graph.Node {
		return b.Elementwise("almost relu", x, func(x float64) float64 { return max(0, x) }, func(x float64) float64 {
			if x > 0 {
				return 1.001
			}
			return 0
		})
	})
	for seed := range uint64(5) {
		gradients, err := gradcheck.Check(f, gradcheck.Settings{Seed: seed, MaxElements: 4})
		if err != nil {
			t.Fatal(err)
		}
		if g := gradients[0]; g.Name != "w" || !(g.Error > 1e-4) {
			t.Errorf("seed %d: a wrong gradient of %s has the error %v", seed, g.Name, g.Error)
		}
	}
}

// One wrong element of a thousand shows in the direction that moves all of them.
func TestOneWrongElement(t *testing.T) {
	f := func(b *graph.Builder) *graph.Node {
		values := make([]float64, 1000)
		values[777] = 10 // moves one element to where the derivative is wrong
		x := b.Add(b.Param("p", 1, 1000, graph.Uniform(1)), b.Constant(1, 1000, values))
		return b.Mean(b.Elementwise("square", x, func(x float64) float64 { return x * x }, func(x float64) float64 {
			if x > 5 {
				return 0
			}
			return 2 * x
		}))
	}
	gradients, err := gradcheck.Check(f, gradcheck.Settings{MaxElements: 4})
	if err != nil {
		t.Fatal(err)
	}
	if g := gradients[0]; !(g.Error > 1e-3) || g.Index != gradcheck.AlongDirection {
		t.Errorf("the error is %v at element %d", g.Error, g.Index)
	}
}
