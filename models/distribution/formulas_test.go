package distribution

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/portable"
)

// geometric is the family of the number of failures before the first success, by its CDF 1 − q^(k + 1) alone. The parameter
// is the logarithm of the probability q of a failure.
var geometric = Formulas{
	Name:       "geometric",
	Parameters: []string{"log failure"},
	Counts:     true,
	CDF: func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
		return b.Neg(b.Expm1(b.Mul(p[0], b.Shift(y, 1))))
	},
}.Family()

// A family of counts follows from its CDF, here with the formulas of scipy.stats.geom less 1: probabilities (1 − q) q^k, and
// a CRPS of k − 2q(1 − q^k)/(1 − q) + q²/(1 − q²), the sum of (1 − q^(j+1) − 1[j ≥ k])² as geometric series.
func TestCountsByTheirCDF(t *testing.T) {
	const q = 0.8
	d := geometric.New([]float64{math.Log(q), 0, 1})
	for _, k := range []float64{0, 1, 7, 40} {
		if got, want := d.LogDensity(k), math.Log(1-q)+k*math.Log(q); !near(got, want, 1e-11) {
			t.Errorf("log probability of %v: %v; want %v", k, got, want)
		}
		if got, want := d.CDF(k), 1-math.Pow(q, k+1); !near(got, want, 1e-12) {
			t.Errorf("CDF of %v: %v; want %v", k, got, want)
		}
		if got, want := d.CRPS(k), k-2*q*(1-math.Pow(q, k))/(1-q)+q*q/(1-q*q); !near(got, want, 1e-11) {
			t.Errorf("CRPS of %v: %v; want %v", k, got, want)
		}
		below, upTo := CDFStep(d, k)
		if !near(upTo-below, (1-q)*math.Pow(q, k), 1e-12) {
			t.Errorf("the CDF of %v steps from %v to %v", k, below, upTo)
		}
	}
	if got := d.LogDensity(1.5); !math.IsInf(got, -1) {
		t.Errorf("log probability between counts: %v", got)
	}
	if mean, std := q/(1-q), math.Sqrt(q)/(1-q); !near(d.Mean(), mean, 1e-11) || !near(d.Std(), std, 1e-11) {
		t.Errorf("mean %v and std %v; want %v and %v", d.Mean(), d.Std(), mean, std)
	}
}

// Bounds clip counts: the CDF steps from 0 at the lower bound, and to 1 at the upper bound.
func TestStepsOfBoundedCounts(t *testing.T) {
	d := Bound(geometric.New([]float64{math.Log(0.8), 0, 1}), Bounds{1, 3})
	cdf := func(k float64) float64 { return 1 - math.Pow(0.8, k+1) }
	for _, c := range []struct{ y, below, upTo float64 }{
		{0, 0, 0}, {1, 0, cdf(1)}, {2, cdf(1), cdf(2)}, {3, cdf(2), 1}, {4, 1, 1},
	} {
		if below, upTo := CDFStep(d, c.y); !near(below, c.below, 1e-12) || !near(upTo, c.upTo, 1e-12) {
			t.Errorf("at %v the CDF steps from %v to %v; want %v to %v", c.y, below, upTo, c.below, c.upTo)
		}
	}
}

// Counts with other moments have a probability each, finite far from the mean, and the probabilities add up to 1.
func TestRoundedNormal(t *testing.T) {
	d := WithMoments(geometric.New([]float64{math.Log(0.8), 0, 1}), 2, 0.7)
	sum := 0.0
	for k := range 1000 {
		logProbability := d.LogDensity(float64(k))
		if math.IsInf(logProbability, 0) || math.IsNaN(logProbability) {
			t.Fatalf("log probability of %d: %v", k, logProbability)
		}
		sum += portable.Exp(logProbability)
	}
	if !near(sum, 1, 1e-12) {
		t.Errorf("the probabilities add up to %v", sum)
	}
}

// byDensity returns the family with two parameters and a log density alone.
func byDensity(name string, logDensity func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node) Family {
	return Formulas{Name: name, Parameters: []string{"first", "second"}, LogDensity: logDensity}.Family()
}

// normalByDensity is N(p₀, p₁²).
var normalByDensity = byDensity("normal", func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	z := b.Div(b.Sub(y, p[0]), p[1])
	return b.Sub(b.Shift(b.Scale(-0.5, b.Square(z)), -0.5*math.Log(2*math.Pi)), b.Log(p[1]))
})

// twoPeaks is the equally weighted mixture of N(p₀, 0.001²) and N(p₁, 0.001²).
var twoPeaks = byDensity("two peaks", func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	peak := func(mean *graph.Node) *graph.Node { return b.Scale(-0.5e6, b.Square(b.Sub(y, mean))) }
	return b.Shift(b.LogSumExpOf(peak(p[0]), peak(p[1])), -0.5*math.Log(2*math.Pi)-math.Log(2*0.001))
})

// laplaceByDensity is the Laplace distribution with the location p₀ and the scale p₁, which has a kink.
var laplaceByDensity = byDensity("laplace", func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	return b.Neg(b.Add(b.Div(b.Abs(b.Sub(y, p[0])), p[1]), b.Log(b.Scale(2, p[1]))))
})

// gammaByDensity is the gamma distribution with the shape p₀ and the scale p₁. Its logarithm is NaN below 0, where it has no
// density, and it has a pole at 0 for shapes below 1.
var gammaByDensity = byDensity("gamma", func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	power := b.Mul(b.Shift(p[0], -1), b.Log(b.Div(y, p[1])))
	return b.Sub(b.Sub(power, b.Div(y, p[1])), b.Add(b.LogGamma(p[0]), b.Log(p[1])))
})

// uniformByDensity is the uniform distribution between p₀ and p₁.
var uniformByDensity = byDensity("uniform", func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	isInside := b.Mul(b.Greater(y, p[0]), b.Greater(p[1], y))
	return b.Where(isInside, b.Neg(b.Log(b.Sub(p[1], p[0]))), b.Const(-1e6))
})

// A distribution follows from its log density alone. The values are from closed formulas of the distributions.
func TestDistributionsByTheirDensity(t *testing.T) {
	for _, c := range []struct {
		family    Family
		p         []float64
		mean, std float64
		y, cdf    float64
	}{
		{normalByDensity, []float64{0, 1}, 0, 1, 1, portable.NormalCDF(1)},
		{normalByDensity, []float64{0.7, 1e-4}, 0.7, 1e-4, 0.7001, portable.NormalCDF(1)},
		{normalByDensity, []float64{123.4, 1e-3}, 123.4, 1e-3, 123.401, portable.NormalCDF(1)},
		{normalByDensity, []float64{0, 1000}, 0, 1000, 1000, portable.NormalCDF(1)},
		{twoPeaks, []float64{-3.3, 7.1}, 1.9, math.Sqrt(5.2*5.2 + 1e-6), 7.1, 0.75},
		{laplaceByDensity, []float64{0.123, 0.5}, 0.123, 0.5 * math.Sqrt2, 0.623, 1 - 0.5*math.Exp(-1)},
		{gammaByDensity, []float64{1, 2}, 2, 2, 2, 1 - math.Exp(-1)},
		{gammaByDensity, []float64{0.5, 1}, 0.5, math.Sqrt(0.5), 1, math.Erf(1)},
		{uniformByDensity, []float64{-0.3, 1.1}, 0.4, 1.4 / math.Sqrt(12), 0.05, 0.25},
	} {
		d := c.family.New(c.p)
		const tolerance = 1e-9
		compare := func(what string, got, want float64) {
			t.Helper()
			if !near(got/c.std, want/c.std, tolerance) {
				t.Errorf("%s%v: %s is %v; want %v", c.family.Name, c.p, what, got, want)
			}
		}
		compare("the mean", d.Mean(), c.mean)
		compare("the standard deviation", d.Std(), c.std)
		compare("the quantile", d.Quantile(c.cdf), c.y)
		if got := d.CDF(c.y); !near(got, c.cdf, tolerance) {
			t.Errorf("%s%v: the CDF of %v is %v; want %v", c.family.Name, c.p, c.y, got, c.cdf)
		}
	}
	d := normalByDensity.New([]float64{0, 1})
	if got, want := d.CRPS(0.3), NewNormal(0, 1).CRPS(0.3); !near(got, want, 1e-9) {
		t.Errorf("the CRPS is %v; want %v", got, want)
	}
}

// Graphs have no mean, standard deviation and quantiles of a distribution with a density alone, and none of a mixture of
// such distributions.
func TestNodesOfADensity(t *testing.T) {
	b := graph.New(graph.Float64, nil)
	p := []*graph.Node{b.Constant(1, 1, []float64{0}), b.Constant(1, 1, []float64{1})}
	for _, f := range []Family{laplaceByDensity, Mixture(laplaceByDensity, 2)} {
		d := f.Nodes(b, slices.Concat(p, p)[:len(f.Parameters)])
		if d.Mean() != nil || d.Std() != nil || d.CDF(p[0]) != nil || d.Quantiles([]float64{0.5}) != nil {
			t.Errorf("%s has nodes", f.Name)
		}
	}
}
