package main

import (
	"math"
	"testing"

	"sml/trainers/check"
)

// The parts of the family agree with one another and with values of SciPy 1.10.1:
// stats.laplace(0.5, 2), its CRPS as the integral of (F(x) − 1[x ≥ y])².
func TestLaplace(t *testing.T) {
	check.TestFamily(t, laplaceFamily, []float64{0.5, 2}, []float64{-3, 0.1})
	expectNear := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
			t.Errorf("%s is %v; want %v", what, got, want)
		}
	}
	d := laplaceFamily.New([]float64{0.5, 2})
	expectNear("mean", d.Mean(), 0.5)
	expectNear("std", d.Std(), 2.8284271247461903)
	for _, c := range []struct{ y, logDensity, cdf, crps float64 }{
		{-30, -16.63629436111989, 1.1911848337509091e-07, 29.000000476473936},
		{-3, -3.136294361119891, 0.08688697172522256, 2.3475478869008906},
		{0.5, -1.3862943611198906, 0.5, 0.5},
		{1, -1.6362943611198906, 0.6105996084642975, 0.5576015661428098},
		{40, -21.136294361119887, 0.9999999986767132, 38.00000000529315},
	} {
		expectNear("log density", d.LogDensity(c.y), c.logDensity)
		expectNear("CDF", d.CDF(c.y), c.cdf)
		expectNear("CRPS", d.CRPS(c.y), c.crps)
	}
	for _, c := range []struct{ level, y float64 }{
		{1e-06, -25.744726754808656}, {0.025, -5.491464547107982}, {0.5, 0.5}, {0.9, 3.718875824868201}, {0.999, 12.929216196844381},
	} {
		expectNear("quantile", d.Quantile(c.level), c.y)
	}
}
