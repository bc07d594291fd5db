package main

import (
	"math"
	"testing"

	"sml/trainers/check"
)

// The parts of the family agree with one another, and with the values of bench/families.py, which computes them in 60
// digits from the definition of scipy.stats.weibull_min(2, scale=1.5).
func TestWeibull(t *testing.T) {
	check.TestFamily(t, weibullFamily, []float64{2, 1.5, -3}, []float64{1.3, 0.5, 0}, []float64{20, 1, 1})
	const zero = -3
	d := weibullFamily.New([]float64{2, 1.5, zero})
	expectNear := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
			t.Errorf("%s is %v; want %v", what, got, want)
		}
	}
	expectNear("mean", d.Mean(), 0.75*math.Sqrt(math.Pi)+zero)
	expectNear("std", d.Std(), 1.5*math.Sqrt(1-math.Pi/4))
	for _, c := range []struct{ y, logDensity, cdf float64 }{
		{0.01, -4.7229976660889193, 0.000044443456804755210},
		{1, -0.56222748010082790, 0.35881961157004542},
		{3.75, -5.0460271956740640, 0.99806954586377229},
		{6, -14.326023566428328, 0.99999988746482528},
	} {
		expectNear("log density", d.LogDensity(c.y+zero), c.logDensity)
		expectNear("CDF", d.CDF(c.y+zero), c.cdf)
	}
	for _, c := range []struct{ level, y float64 }{
		{0.001, 0.047446029871454475}, {0.5, 1.2488319167365466}, {0.9999, 4.5522813881554391},
	} {
		expectNear("quantile", d.Quantile(c.level), c.y+zero)
	}
}
