package distribution

import (
	"math"
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
