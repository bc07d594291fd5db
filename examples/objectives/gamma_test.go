package main

import (
	"math"
	"testing"

	"sml/models/distribution"
	"sml/trainers/check"
)

// The parts of the family agree with one another, and with the values of bench/families.py, which computes them in 60
// digits from the definition of scipy.stats.gamma(2.5, scale=1.5).
func TestGamma(t *testing.T) {
	check.TestFamily(t, gammaFamily, []float64{2.5, 1.5, -3}, []float64{90, 0.1, 1})
	check.TestFamily(t, distribution.Mixture(gammaFamily, 2), []float64{2.5, 1.5, -3, 4, 0.5, -3})
	for _, shape := range []float64{0.3, 0.7, 1000} {
		d := gammaFamily.New([]float64{shape, 2, -1})
		for _, level := range []float64{0.01, 0.3, 0.999} {
			if got := d.CDF(d.Quantile(level)); !(math.Abs(got-level) <= 1e-9) {
				t.Errorf("the CDF of the quantile at %v of the shape %v is %v", level, shape, got)
			}
		}
	}
	const zero = -3
	d := gammaFamily.New([]float64{2.5, 1.5, zero})
	expectNear := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
			t.Errorf("%s is %v; want %v", what, got, want)
		}
	}
	expectNear("mean", d.Mean(), 3.75+zero)
	expectNear("std", d.Std(), 1.5*math.Sqrt(2.5))
	for _, c := range []struct{ y, logDensity, cdf float64 }{
		{0.01, -8.2127675863921338, 0.0000010867459060981006},
		{1, -1.9650123074099968, 0.068535382866534413},
		{3.75, -1.8157118807698509, 0.58411981300449208},
		{6, -2.6107064369012476, 0.84376437242227767},
	} {
		expectNear("log density", d.LogDensity(c.y+zero), c.logDensity)
		expectNear("CDF", d.CDF(c.y+zero), c.cdf)
		expectNear("CRPS", d.CRPS(c.y+zero), gammaCRPS(2.5, 1.5, c.y))
	}
	for _, c := range []struct{ level, y float64 }{
		{0.001, 0.15765945197191437}, {0.5, 3.2635951433216455},
	} {
		expectNear("quantile", d.Quantile(c.level), c.y+zero)
	}
}

// gammaCRPS returns y (2P(k, y/s) − 1) − k s (2P(k + 1, y/s) − 1) − s/B(½, k). Source: scoringRules, crps_gamma.
func gammaCRPS(k, s, y float64) float64 {
	inverseBeta := math.Gamma(k+0.5) / (math.Sqrt(math.Pi) * math.Gamma(k))
	return y*(2*incompleteGamma(k, y/s)-1) - k*s*(2*incompleteGamma(k+1, y/s)-1) - s*inverseBeta
}
