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
	r, err := graph.NewRunner(graph.Compiled, b, roots...)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Run(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{math.Sqrt2, 3} {
		if got := r.Output64(0)[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if n := graph.Inspect(b).Iterations; len(n) != 1 || n[0].Times != 6 {
		t.Errorf("the inspection has %v", n)
	}
}

func TestMistakesOverNodes(t *testing.T) {
	for want, f := range map[string]func(b *graph.Builder, x, y *graph.Node){
		"MeanOf(): want one node or more (at over_nodes_test.go:":                 func(b *graph.Builder, _, _ *graph.Node) { b.MeanOf() },
		"VarianceOf(): want one node or more":                                     func(b *graph.Builder, _, _ *graph.Node) { b.VarianceOf() },
		"LogSumExpOf(): want one node or more":                                    func(b *graph.Builder, _, _ *graph.Node) { b.LogSumExpOf() },
		"MeanOf([2 6], [2 1]): want equal shapes (at over_nodes_test.go:":         func(b *graph.Builder, x, y *graph.Node) { b.MeanOf(x, y) },
		"VarianceOf([2 6], [2 1]): want equal shapes":                             func(b *graph.Builder, x, y *graph.Node) { b.VarianceOf(x, y) },
		"LogSumExpOf([2 6], [2 1]): want equal shapes":                            func(b *graph.Builder, x, y *graph.Node) { b.LogSumExpOf(x, y) },
		"MeanOf([2 6], nil): an operand is nil":                                   func(b *graph.Builder, x, _ *graph.Node) { b.MeanOf(x, nil) },
		"Split([2 6]): want a matrix whose number of columns is divisible by 4 (": func(b *graph.Builder, x, _ *graph.Node) { b.Split(x, 4) },
		"Split([2 6]): want a matrix whose number of columns is divisible by -1":  func(b *graph.Builder, x, _ *graph.Node) { b.Split(x, -1) },
		"Split(nil): want a matrix":                                               func(b *graph.Builder, _, _ *graph.Node) { b.Split(nil, 2) },
		"Iterate([2 6]): 0 steps over 1 values: want one or more of both": func(b *graph.Builder, x, _ *graph.Node) {
			b.Iterate(0, graph.Nodes{x}, func(v graph.Nodes) graph.Nodes { return v })
		},
		"Iterate([2 6]): a step returned 0 values; want 1": func(b *graph.Builder, x, _ *graph.Node) {
			b.Iterate(2, graph.Nodes{x}, func(graph.Nodes) graph.Nodes { return nil })
		},
		"Iterate([2 6]): value 1 of a step has the shape [2 1]; want [2 6]": func(b *graph.Builder, x, y *graph.Node) {
			b.Iterate(2, graph.Nodes{x}, func(graph.Nodes) graph.Nodes { return graph.Nodes{y} })
		},
		"CrossEntropy(scalar): want a matrix [m n]":      func(b *graph.Builder, x, y *graph.Node) { b.CrossEntropy(b.Sum(x), y) },
		"want a table [levels width] and an index [n 1]": func(b *graph.Builder, x, _ *graph.Node) { b.CrossEntropy(x, x) },
	} {
		b := graph.New(graph.Float32, new(graph.Params))
		f(b, b.Input("x", 2, 6), b.Input("y", 2, 1))
		checkMessage(t, want, b.Err(), want)
	}
}
