package graph_test

import (
	"math"
	"testing"

	"sml/graph"
	"sml/internal/expect"
)

func gelu(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }

func slopeOfGelu(x float64) float64 {
	return (1+math.Erf(x/math.Sqrt2))/2 + x*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)
}

// A panic is an error with the line in the function, at every run.
func TestElementwisePanics(t *testing.T) {
	forEachPlace(t, func(t *testing.T, in place) {
		dtype := graph.Float32
		if in.double {
			dtype = graph.Float64
		}
		b := graph.New(dtype, new(graph.Params))
		var table []float64
		y := b.Elementwise("table", b.Input("x", 2, 3), func(x float64) float64 { return table[int(x)] }, func(float64) float64 { return 0 })
		r := newRunner(t, in.engine, b, b.Tanh(y))
		clear(r.Input("x"))
		clear(r.Input64("x"))
		expect.Error(t, r.Run(), `Elementwise "table"`, "index out of range [0] with length 0", "(at by_function_test.go:")
		table = []float64{0.5}
		if err := r.Run(); err != nil {
			t.Errorf("%v: %v", in, err)
		}
	})
}

// SameComputation compares functions by their values, not by their identity. It finds a network whose
// function changes between two builds, and an ensemble whose function differs from its members'.
func TestSameComputation(t *testing.T) {
	scaled := func(name string, by, slope float64) node {
		b := graph.New(graph.Float32, new(graph.Params))
		x := b.Input("x", 2, 3)
		return b.Elementwise(name, x, func(x float64) float64 { return by * x }, func(float64) float64 { return slope })
	}
	panicking := func() node {
		b := graph.New(graph.Float32, new(graph.Params))
		panics := func(any float64) float64 { panic(any) }
		return b.Elementwise("panicking", b.Input("x", 2, 3), panics, panics)
	}
	clamped := func(c float64, name string, isSwapped bool) node {
		b := graph.New(graph.Float32, new(graph.Params))
		x, y := b.Scale(c, b.Input("x", 2, 2)), b.Tanh(b.Param(name, 2, 2, graph.Uniform(1)))
		if isSwapped {
			x, y = y, x
		}
		return b.Mean(b.ClampMin(b.Add(x, y), c))
	}
	for what, c := range map[string]struct {
		x, y node
		want bool
	}{
		"once and again":     {scaled("times", 2, 2), scaled("times", 2, 2), true},
		"another value":      {scaled("times", 2, 2), scaled("times", 3, 2), false},
		"another derivative": {scaled("times", 2, 2), scaled("times", 2, 3), false},
		"another name":       {scaled("times", 2, 2), scaled("twice", 2, 2), false},
		"another operation":  {scaled("times", 2, 2), panicking(), false},
		"panics":             {panicking(), panicking(), true},
		"itself":             {clamped(2, "w", false), clamped(2, "w", false), true},
		"another constant":   {clamped(2, "w", false), clamped(3, "w", false), false},
		"another parameter":  {clamped(2, "w", false), clamped(2, "v", false), false},
		"another order":      {clamped(2, "w", false), clamped(2, "w", true), false},
	} {
		if got := graph.SameComputation(c.x, c.y); got != c.want {
			t.Errorf("%s: the same is %v, want %v", what, got, c.want)
		}
	}
}
