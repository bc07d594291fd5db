package distribution_test

import (
	"math"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models/distribution"
	"sml/trainers/check"
)

// TestFamilies runs the conformance test of families on all of them.
func TestFamilies(t *testing.T) {
	for _, f := range distribution.Examples {
		t.Run(f.Name, func(t *testing.T) { check.TestFamily(t, f.Family, f.Examples...) })
	}
}

// TestMoments compares mean and standard deviation with the moments of quantiles.
func TestMoments(t *testing.T) {
	for _, f := range distribution.Examples {
		for _, p := range f.Examples {
			if d := f.New(p); !math.IsNaN(d.CDF(0)) {
				checkMoments(t, f.Name, d)
			}
		}
	}
}

// checkMoments compares the mean with the mean of quantiles.
func checkMoments(t *testing.T, name string, d distribution.Distribution) {
	const n = 10000
	var sum, squares float64
	for i := range n {
		off := (d.Quantile((float64(i) + 0.5) / n)) - d.Mean()
		sum += off / n
		squares += off * off / n
	}
	tolerance := 2e-3
	if strings.Contains(name, "student-t") || name == "empirical" { // heavy tails beyond the last quantile; n−1, and type 7
		tolerance = 0.15
	}
	if !(math.Abs(sum/d.Std()) <= tolerance && math.Abs(math.Sqrt(squares)/d.Std()-1) <= tolerance) {
		t.Errorf("%s: the mean of quantiles is off by %v, their standard deviation is %v; want %v", name, sum, math.Sqrt(squares), d.Std())
	}
}

// The CRPS is finite for ν > ½. Source: mpmath 1.2.1, the integral of F² up to y and of (1 − F)² from there on.
func TestStudentCRPSOfHeavyTails(t *testing.T) {
	ys := []float64{0, 0.6, 3}
	for nu, want := range map[float64][]float64{
		0.6:       {1.263795300305882, 1.359046518715017, 2.670784206496504},
		0.8:       {0.5784216276823412, 0.6814674403264893, 2.128862984822267},
		1:         {0.4412712003053032, 0.5498208240724296, 2.093837307328475},
		1.0000001: {0.4412711591223495, 0.5498207852362865, 2.093837309779682},
		1.5:       {0.3380905200470211, 0.455204518753445, 2.149916348304277},
		0.5:       {math.NaN(), math.NaN(), math.NaN()}, // infinite
	} {
		for i, y := range ys {
			got := distribution.StudentT.New([]float64{1, 2, nu}).CRPS(1 + 2*y)
			if math.IsNaN(want[i]) != math.IsNaN(got) || math.Abs(got-2*want[i]) > 1e-9 {
				t.Errorf("ν = %v, standardised target %v: the CRPS is %v; want %v", nu, y, got, 2*want[i])
			}
		}
	}
}

// With a million degrees of freedom, the distribution is nearly normal. Source: the CRPS, CDF and quantile of N(0, 1) by
// the formulas of Gneiting and Raftery 2007; they differ by less than 1e-6.
func TestStudentNodesInFloat32(t *testing.T) {
	normal := distribution.Normal.New([]float64{0, 1})
	for _, y := range []float64{-2.5, -0.3, 0.7, 1.9} {
		b := graph.New(graph.Float32, new(graph.Params))
		d := distribution.StudentT.Nodes(b, []*graph.Node{b.Constant(1, 1, []float64{0}), b.Constant(1, 1, []float64{1}), b.Constant(1, 1, []float64{1e6})})
		at := b.Constant(1, 1, []float64{y})
		quantile := d.Quantiles([]float64{0.95})[0]
		r := expect.Must(graph.NewRunner(graph.Compiled, b, d.CRPS(at), d.CDF(at), d.LogDensity(at), quantile))
		expect.NoError(t, r.Run())
		for i, want := range []float64{normal.CRPS(y), normal.CDF(y), normal.LogDensity(y), normal.Quantile(0.95)} {
			if got := float64(r.Output(i)[0]); math.Abs(got-want) > 3e-6*math.Max(1, math.Abs(want)) {
				t.Errorf("y = %v, output %d (CRPS, CDF, log density, quantile): %v; want %v", y, i, got, want)
			}
		}
	}
}
