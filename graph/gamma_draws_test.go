package graph_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// gammaDraws returns the numbers of draw.
func gammaDraws(t *testing.T, e graph.Engine, key graph.MaskKey, draw func(b builder) node) []float32 {
	t.Helper()
	return sampleOutputs(t, e, key, func(b builder) nodes { return nodes{draw(b)} })[0]
}

// checkDraws draws 100,000 numbers and compares their mean, their variance and the mean of f of them with the expected
// numbers, each within five standard errors.
func checkDraws(t *testing.T, name string, draw func(b builder, rows int) node, wantMean, wantVariance float64, f func(x float64) float64, want float64) {
	t.Helper()
	const rows = 100000
	var x, squares, fx []float64
	for _, v := range gammaDraws(t, graph.Compiled, graph.MaskKey{Seed: 3}, func(b builder) node { return draw(b, rows) }) {
		x = append(x, float64(v))
		squares = append(squares, math.Pow(float64(v)-wantMean, 2))
		fx = append(fx, f(float64(v)))
	}
	for _, c := range []struct {
		what   string
		values []float64
		want   float64
	}{{"mean", x, wantMean}, {"variance", squares, wantVariance}, {"mean of f", fx, want}} {
		mean, std := statistics.MeanStd(c.values)
		if !(math.Abs(mean-c.want) <= 5*std/math.Sqrt(rows)+1e-6) {
			t.Errorf("%s: %s %v, want %v", name, c.what, mean, c.want)
		}
	}
}

// The mean of draws is α, their variance α, the mean of their logarithms ψ(α), and the share of draws below the
// median is ½. Medians: gammainc of mpmath 1.2.1,
// and for α = 10⁶ the expansion α − ⅓ + 8/(405α).
func TestGammaDraws(t *testing.T) {
	for _, c := range []struct{ shape, median float64 }{
		{0.05, 5.5738784407462e-7}, {0.5, 0.22746821155979}, {1, 0.69314718055995}, {2.5, 2.1757300955478}, {30, 29.667333138221}, {1e6, 999999.66666669},
	} {
		isBelow := func(x float64) float64 {
			if x < c.median {
				return 1
			}
			return 0
		}
		draw := func(b builder, rows int) node { return b.Gamma(graph.Noise{}, b.Repeat(b.Const(c.shape), rows, 1)) }
		checkDraws(t, fmt.Sprint("gamma ", c.shape), draw, c.shape, c.shape, isBelow, 0.5)
		if c.shape >= 0.5 { // smaller shapes have draws below the smallest float32
			checkDraws(t, fmt.Sprint("logarithm of gamma ", c.shape), draw, c.shape, c.shape, math.Log, portable.Digamma(c.shape))
		}
	}
}

// The mean of draws is α/(α+β), their variance αβ/((α+β)²(α+β+1)), and the mean of their squares follows from both.
func TestBetaDraws(t *testing.T) {
	for _, c := range []struct{ alpha, beta float64 }{{0.01, 0.01}, {0.4, 0.4}, {1, 1}, {2, 5}, {300, 1}} {
		total := c.alpha + c.beta
		mean := c.alpha / total
		variance := mean * c.beta / (total * (total + 1))
		checkDraws(t, fmt.Sprint("beta ", c), func(b builder, rows int) node {
			return b.Beta(graph.Noise{}, b.Repeat(b.Const(c.alpha), rows, 1), b.Repeat(b.Const(c.beta), rows, 1))
		}, mean, variance, func(x float64) float64 { return x * x }, variance+mean*mean)
	}
}

// Draws belong to rows: a batch that begins later has the draws of its rows. Both engines draw alike up to
// the rounding of the tape's functions.
func TestGammaDrawsFollowRows(t *testing.T) {
	draw := func(rows int) func(b *graph.Builder) *graph.Node {
		return func(b *graph.Builder) *graph.Node {
			return b.Gamma(graph.Noise{Stream: 2}, b.Repeat(b.Constant(1, 3, []float64{0.3, 1, 7}), rows, 3))
		}
	}
	all := gammaDraws(t, graph.Compiled, graph.MaskKey{Seed: 5}, draw(12))
	later := gammaDraws(t, graph.Compiled, graph.MaskKey{Seed: 5, Row: 8}, draw(4))
	if !slices.Equal(later, all[24:]) {
		t.Errorf("rows from 8 on: %v, want %v", later, all[24:])
	}
	for i, v := range gammaDraws(t, graph.Tape, graph.MaskKey{Seed: 5}, draw(12)) {
		if !(math.Abs(float64(v-all[i])) <= 1e-5*float64(all[i])) {
			t.Errorf("draw %d: %v on tape, %v compiled", i, v, all[i])
		}
	}
}

// Shapes that are not above 0 have no draws, and no gradient flows to a shape.
func TestGammaDrawsOutsideOfTheirDomain(t *testing.T) {
	draws := gammaDraws(t, graph.Compiled, graph.MaskKey{}, func(b *graph.Builder) *graph.Node {
		return b.Gamma(graph.Noise{}, b.Constant(1, 3, []float64{-0.5, -3, 0}))
	})
	if fmt.Sprint(draws[:2]) != "[NaN NaN]" {
		t.Errorf("draws for negative shapes: %v", draws)
	}
	b := graph.New(graph.Float32, new(graph.Params))
	x := b.Param("x", 2, 3, graph.Uniform(1))
	g := b.Gradients(b.Sum(b.Mul(x, b.Gamma(graph.Noise{}, b.Exp(x)))))[0]
	if b.Err() != nil || graph.Inspect(b).DependsOn(g, "x") {
		t.Errorf("a gradient flows through a draw (%v)", b.Err())
	}
}
