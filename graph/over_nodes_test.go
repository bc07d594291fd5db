package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// By hand: of 1, 4 and 7 the mean is 4 and the variance (9 + 0 + 9)/3 = 6, whose
// derivatives are 2(x − 4)/3; of 2, −1 and 2 they are 1, (1 + 4 + 1)/3 = 2 and
// 2(x − 1)/3. What comes back is 0.5 and −2.
func TestOverNodes(t *testing.T) {
	x := []matrix{{{1, 2}}, {{4, -1}}, {{7, 2}}}
	back := matrix{{0.5, -2}}
	third := 1.0 / 3
	forEachPlace(t, func(t *testing.T, in place) {
		of := func(f func(b *graph.Builder, x ...*graph.Node) *graph.Node) [][]float64 {
			return in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return f(b, x...) }, back, x...)
		}
		for i, want := range [][]float64{{4, 1}, {third / 2, -2 * third}, {third / 2, -2 * third}, {third / 2, -2 * third}} {
			in.checkNear(t, "MeanOf", of((*graph.Builder).MeanOf)[i], want)
		}
		for i, want := range [][]float64{{6, 2}, {-1, -4 * third}, {0, 8 * third}, {1, -4 * third}} {
			in.checkNear(t, "VarianceOf", of((*graph.Builder).VarianceOf)[i], want)
		}
	})
}

// LogSumExpOf of nodes gives the numbers of LogSumExp of a matrix with these columns, as in
// TestOverAxes, also for infinities and NaN.
func TestLogSumExpOfNodes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	columns := []matrix{{{1}, {1000}, {-1e30}}, {{-2}, {1000}, {0}}, {{0.5}, {999}, {3}}}
	forEachPlace(t, func(t *testing.T, in place) {
		f := func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.LogSumExpOf(x...) }
		got := in.evaluate(t, f, matrix{{0.3}, {1}, {1}}, columns...)
		in.checkNear(t, "LogSumExpOf", got[0], []float64{1.5045969023422834, 1000.8619948040582, 3.048587351573742})
		in.checkNear(t, "gradient of LogSumExpOf", got[2], []float64{0.009017666270872207, 0.4223187982515182, 0.04742587317756679})
		got = in.evaluate(t, f, nil, matrix{{inf, -inf, -inf, nan, 0, inf, inf}}, matrix{{0, 0, -inf, 0, nan, inf, -inf}})
		in.checkNear(t, "LogSumExpOf", got[0], []float64{inf, 0, -inf, nan, nan, inf, inf})
	})
}

// The variance of 1, 2, 6 is ((−2)² + (−1)² + 3²)/3 = 14/3, of 0, 2, 4 it is 8/3; down
// the columns 1/4, 0 and 1.
func TestVariance(t *testing.T) {
	x := matrix{{1, 2, 6}, {0, 2, 4}}
	forEachPlace(t, func(t *testing.T, in place) {
		in.checkNear(t, "VarianceColumns", in.evaluate(t, unary((*graph.Builder).VarianceColumns), nil, x)[0], []float64{14.0 / 3, 8.0 / 3})
		in.checkNear(t, "VarianceRows", in.evaluate(t, unary((*graph.Builder).VarianceRows), nil, x)[0], []float64{0.25, 0, 1})
	})
}

func TestSplit(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Input("x", 2, 6)
	for i, part := range b.Split(x, 3) {
		if !graph.SameComputation(part, b.Columns(x, 2*i, 2*i+2)) {
			t.Errorf("part %d is %v", i, part)
		}
	}
	if b.Err() != nil {
		t.Error(b.Err())
	}
}

func TestIterate(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Constant(1, 2, []float64{2, 9})
	roots := b.Iterate(6, graph.Nodes{x}, func(v graph.Nodes) graph.Nodes { // Heron's square root
		return graph.Nodes{b.Scale(0.5, b.Add(v[0], b.Div(x, v[0])))}
	})
	r := newRunner(t, graph.Compiled, b, roots...)
	run(t, r)
	for i, want := range []float64{math.Sqrt2, 3} {
		if got := r.Output64(0)[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if n := graph.Inspect(b).Iterations; len(n) != 1 || n[0].Times != 6 {
		t.Errorf("the inspection has %v", n)
	}
}
