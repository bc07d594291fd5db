package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/graph"
	"sml/models/distribution"
)

// Values of SciPy 1.10.1: stats.laplace(0.5, 2), its CRPS as the integral of (F(x) − 1[x ≥ y])².
var (
	laplaceAt = []struct{ y, logDensity, cdf, crps float64 }{
		{-30, -16.63629436111989, 1.1911848337509091e-07, 29.000000476473936},
		{-3, -3.136294361119891, 0.08688697172522256, 2.3475478869008906},
		{0.5, -1.3862943611198906, 0.5, 0.5},
		{1, -1.6362943611198906, 0.6105996084642975, 0.5576015661428098},
		{40, -21.136294361119887, 0.9999999986767132, 38.00000000529315},
	}
	laplaceQuantiles = []struct{ level, y float64 }{
		{1e-06, -25.744726754808656}, {0.025, -5.491464547107982}, {0.5, 0.5}, {0.9, 3.718875824868201}, {0.999, 12.929216196844381},
	}
)

// expectNear reports an error unless two numbers agree to 1e-12 of their size, or of 1.
func expectNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
		t.Errorf("%s is %v; want %v", what, got, want)
	}
}

func TestLaplaceInGo(t *testing.T) {
	d := laplaceFamily.New([]float64{0.5, 2})
	twice := d.Affine(2, -1) // of 2y − 1, which is 0 at y = 0.5
	expectNear(t, "mean", d.Mean(), 0.5)
	expectNear(t, "std", d.Std(), 2.8284271247461903) // SciPy
	for _, c := range laplaceAt {
		expectNear(t, "log density", d.LogDensity(c.y), c.logDensity)
		expectNear(t, "CDF", d.CDF(c.y), c.cdf)
		expectNear(t, "CRPS", d.CRPS(c.y), c.crps)
		expectNear(t, "CDF of the affine function", twice.CDF(2*c.y-1), c.cdf)
		expectNear(t, "CRPS of the affine function", twice.CRPS(2*c.y-1), 2*c.crps)
	}
	for _, c := range laplaceQuantiles {
		expectNear(t, "quantile", d.Quantile(c.level), c.y)
	}
}

// The mean of n draws has a standard error of std/√n.
func TestLaplaceSamples(t *testing.T) {
	const n = 20000
	d := laplaceFamily.New([]float64{0.5, 2})
	r := rand.New(rand.NewPCG(1, 1))
	mean, below := 0.0, 0.0
	for range n {
		y := d.Sample(r)
		mean += y / n
		if y < d.Quantile(0.9) {
			below += 1.0 / n
		}
	}
	if off := math.Abs(mean - 0.5); off > 4*d.Std()/math.Sqrt(n) {
		t.Errorf("the mean of the draws is off by %v", off)
	}
	if off := math.Abs(below - 0.9); off > 4*0.3/math.Sqrt(n) { // √(0.9·0.1) = 0.3
		t.Errorf("%v of the draws are below the quantile at 0.9", below)
	}
}

func TestLaplaceNodes(t *testing.T) {
	rows := len(laplaceAt)
	column := func(value func(row int) float64) []float64 {
		values := make([]float64, rows)
		for i := range values {
			values[i] = value(i)
		}
		return values
	}
	b := graph.New(graph.Float64, new(graph.Params))
	parameters := []*graph.Node{
		b.Constant(rows, 1, column(func(int) float64 { return 0.5 })),
		b.Constant(rows, 1, column(func(int) float64 { return 2 })),
	}
	y := b.Constant(rows, 1, column(func(row int) float64 { return laplaceAt[row].y }))
	var nodes distribution.Nodes = laplaceFamily.Nodes(b, parameters)
	outputs := []*graph.Node{nodes.Mean(), nodes.Std(), nodes.LogDensity(y), nodes.CDF(y), nodes.CRPS(y)}
	for _, c := range laplaceQuantiles {
		outputs = append(outputs, nodes.Quantile(c.level))
	}
	run, err := graph.NewRunner(graph.Compiled, b, outputs...)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	for row, c := range laplaceAt {
		expectNear(t, "mean", run.Output64(0)[row], 0.5)
		expectNear(t, "std", run.Output64(1)[row], 2.8284271247461903)
		expectNear(t, "log density", run.Output64(2)[row], c.logDensity)
		expectNear(t, "CDF", run.Output64(3)[row], c.cdf)
		expectNear(t, "CRPS", run.Output64(4)[row], c.crps)
		for i, q := range laplaceQuantiles {
			expectNear(t, "quantile", run.Output64(5 + i)[row], q.y)
		}
	}
}
