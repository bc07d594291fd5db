package distribution_test

import (
	"math"
	"strings"
	"testing"

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
