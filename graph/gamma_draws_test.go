package graph_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/portable"
)

// gammaDraws returns the numbers of draw.
func gammaDraws(t *testing.T, e graph.Engine, key graph.MaskKey, draw func(b builder) node) []float32 {
	t.Helper()
	return sampleOutputs(t, e, key, func(b builder) nodes { return nodes{draw(b)} })[0]
}

// The mean of draws is α, their variance α, the mean of their logarithms ψ(α), and the share of draws below
// the median is ½, each within five standard errors. Medians: gammainc of mpmath 1.2.1, and for α = 10⁶ the
// expansion α − ⅓ + 8/(405α).
func TestGammaDraws(t *testing.T) {
	const rows = 100000
	for _, c := range []struct{ shape, median float64 }{
		{0.05, 5.5738784407462e-7}, {0.5, 0.22746821155979}, {1, 0.69314718055995}, {2.5, 2.1757300955478}, {30, 29.667333138221}, {1e6, 999999.66666669},
	} {
		draws := gammaDraws(t, graph.Compiled, graph.MaskKey{Seed: 3}, func(b *graph.Builder) *graph.Node {
			return b.Gamma(graph.Noise{}, b.Repeat(b.Const(c.shape), rows, 1))
		})
		var mean, square, logMean, logSquare, below float64
		for _, v := range draws {
			x := float64(v)
			mean += x / rows
			square += (x - c.shape) * (x - c.shape) / rows
			logX := math.Log(max(x, math.SmallestNonzeroFloat32))
			logMean += logX / rows
			logSquare += logX * logX / rows
			if x < c.median {
				below += 1.0 / rows
			}
		}
		check := func(what string, got, want, deviation float64) {
			if !(math.Abs(got-want) <= 5*deviation/math.Sqrt(rows)) {
				t.Errorf("shape %v: %s %v, want %v", c.shape, what, got, want)
			}
		}
		check("mean", mean, c.shape, math.Sqrt(c.shape))
		check("variance", square, c.shape, math.Sqrt(2*c.shape*c.shape+6*c.shape)) // the fourth moment is 3α² + 6α
		check("share below the median", below, 0.5, 0.5)
		if c.shape >= 0.5 { // smaller shapes have draws below the smallest float32
			check("mean logarithm", logMean, portable.Digamma(c.shape), math.Sqrt(logSquare-logMean*logMean)+1e-4)
		}
	}
}

// The mean of draws is α/(α+β) and their variance αβ/((α+β)²(α+β+1)), each within five standard errors.
func TestBetaDraws(t *testing.T) {
	const rows = 100000
	for _, c := range []struct{ alpha, beta float64 }{{0.01, 0.01}, {0.4, 0.4}, {1, 1}, {2, 5}, {300, 1}} {
		draws := gammaDraws(t, graph.Compiled, graph.MaskKey{Seed: 4}, func(b *graph.Builder) *graph.Node {
			return b.Beta(graph.Noise{}, b.Repeat(b.Const(c.alpha), rows, 1), b.Repeat(b.Const(c.beta), rows, 1))
		})
		total := c.alpha + c.beta
		wantMean := c.alpha / total
		wantVariance := c.alpha * c.beta / (total * total * (total + 1))
		var mean, variance, fourth float64
		for _, v := range draws {
			d := float64(v) - wantMean
			mean += float64(v) / rows
			variance += d * d / rows
			fourth += d * d * d * d / rows
		}
		if !(math.Abs(mean-wantMean) <= 5*math.Sqrt(wantVariance/rows)+1e-6) {
			t.Errorf("beta %v: mean %v, want %v", c, mean, wantMean)
		}
		if !(math.Abs(variance-wantVariance) <= 5*math.Sqrt((fourth-variance*variance)/rows)+1e-6) {
			t.Errorf("beta %v: variance %v, want %v", c, variance, wantVariance)
		}
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
