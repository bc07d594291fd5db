package main

import (
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
)

// Cumulative sums by hand, from both sides, on both engines and in both number types.
func TestCumulativeSum(t *testing.T) {
	x := []float64{1, 2, 3, 10, 20, 30}
	for fromRight, want := range map[bool][]float64{
		false: {1, 3, 6, 10, 30, 60},
		true:  {6, 5, 3, 60, 50, 30},
	} {
		for _, engine := range graph.Engines() {
			for _, double := range []bool{false, true} {
				b := graph.New(graph.Float32, new(graph.Params))
				if double {
					b = graph.New(graph.Float64, new(graph.Params))
				}
				y := gorgonia.Must(gorgonia.ApplyOp(cumulativeSum{fromRight}, b.Constant(2, 3, x)))
				r := expect.Must(graph.NewRunner(engine, b, y))
				defer r.Close()
				expect.NoError(t, r.Run())
				got := slices.Clone(r.Output64(0))
				for _, v := range r.Output(0) {
					got = append(got, float64(v))
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, double %v, from right %v: %v, want %v", engine, double, fromRight, got, want)
				}
			}
		}
	}
}

// The gradient of the loss, and the gradient of a penalty on this gradient, agree with finite
// differences.
func TestGradientsOfRunningTotals(t *testing.T) {
	for _, penalty := range []bool{false, true} {
		gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
			x := b.Param("x", 4, 3, graph.Uniform(1))
			totals, err := gorgonia.ApplyOp(cumulativeSum{}, b.Tanh(x))
			b.Fail(err)
			loss := b.Mean(b.Square(totals))
			if penalty {
				loss = b.Sum(b.Square(b.Grad(loss, x)[0]))
			}
			return loss
		}, gradcheck.Settings{Seed: 1})
		expect.NoError(t, err)
		for _, g := range gradients {
			if !(g.Error <= 1e-7) {
				t.Errorf("penalty %v: gradient of %s is wrong by %.1e", penalty, g.Name, g.Error)
			}
		}
	}
}

// An operand of another shape is an error of the objective with its line.
func TestCumulativeSumOfVector(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	_, err := gorgonia.ApplyOp(cumulativeSum{}, b.Reshape(b.Input("x", 2, 3), 6))
	b.Fail(err)
	if err := b.Err(); err == nil || !strings.Contains(err.Error(), "want a matrix") || !strings.Contains(err.Error(), "(at running_totals_test.go:") {
		t.Error(err)
	}
}
