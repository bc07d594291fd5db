package gradcheck_test

import (
	"regexp"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
)

const tolerance = 1e-6

// mustCheck returns the comparisons of Check. It ends the test if there is an error.
func mustCheck(t *testing.T, f gradcheck.Function, s gradcheck.Settings) []gradcheck.Gradient {
	t.Helper()
	gradients := expect.Must(gradcheck.Check(f, s))
	return gradients
}

// checkRight fails the test if a gradient is found to be wrong.
func checkRight(t *testing.T, f gradcheck.Function, s gradcheck.Settings) {
	t.Helper()
	for _, g := range mustCheck(t, f, s) {
		if !(g.Error <= tolerance) {
			t.Errorf("seed %d: gradient of %s[%d] is %v, differences give %v", s.Seed, g.Name, g.Index, g.Backward, g.Numeric)
		}
	}
}

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

// Values behind a StopGradient receive no gradient, on any path.
func TestStopLetsNothingThrough(t *testing.T) {
	gradients := mustCheck(t, func(b *graph.Builder) *graph.Node {
		p, q := b.Param("p", 2, 2, graph.Uniform(1)), b.Param("q", 2, 2, graph.Uniform(1))
		return b.Mean(b.Mul(b.Exp(q), b.StopGradient(b.Exp(p))))
	}, gradcheck.Settings{})
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
	checkRight(t, func(b *graph.Builder) *graph.Node {
		x := b.ReLU(b.Input("x", 4, 2))
		h := b.ReLU(b.Linear(x, b.Param("weight", 2, 8, graph.Uniform(1)), b.Param("bias", 1, 8, graph.Fill(0))))
		return b.Mean(b.Square(b.Shift(h, 1)))
	}, gradcheck.Settings{Value: func(_ string, i int, drawn float64) float64 { return drawn - float64(2*(i/2)) }})
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
		checkRight(t, reluFunction((*graph.Builder).ReLU), gradcheck.Settings{Seed: seed, MaxElements: 20})
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
		gradients := mustCheck(t, f, gradcheck.Settings{Seed: seed, MaxElements: 4})
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
	gradients := mustCheck(t, f, gradcheck.Settings{MaxElements: 4})
	if g := gradients[0]; !(g.Error > 1e-3) || g.Index != gradcheck.AlongDirection {
		t.Errorf("the error is %v at element %d", g.Error, g.Index)
	}
}
