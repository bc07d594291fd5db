package distribution_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sml/internal/portable"
	"sml/models/distribution"
	"sml/trainers/check"
)

// examples returns parameters of some distributions of each family.
func examples(name string) [][]float64 {
	logs := func(p ...float64) []float64 {
		for i := range p {
			p[i] = math.Log(p[i])
		}
		return p
	}
	switch name {
	case "normal":
		return [][]float64{{0, 1}, {-3, 0.2}, {100, 7}}
	case "student-t":
		return [][]float64{{0, 1, 3}, {2, 0.3, 2.5}, {-1, 4, 40}}
	case "logistic":
		return [][]float64{{0, 1}, {-2, 0.3}}
	case "mixture of student-t":
		return [][]float64{{0, 1, 3, 2, 0.5, 4}}
	case "mixture of logistic":
		return [][]float64{{0, 1, 2, 0.3, -1, 0.5}}
	case "normal-mixture":
		return [][]float64{append(logs(0.5, 0.2, 0.3), -2, 0, 3, 0.5, 1, 0.25), append(logs(0.9, 0.05, 0.05), 1, 1, 1, 1, 2, 3)}
	case "quantiles":
		return [][]float64{{-1.6, -0.7, 0, 0.7, 1.6}, {0, 1, 4, 9, 16}, {3, 2, 1, 5, 4}}
	case "categorical":
		return [][]float64{logs(0.2, 0.5, 0.3), logs(0.98, 0.01, 0.01)}
	case "empirical":
		r := rand.New(rand.NewPCG(1, 2))
		draws := make([]float64, 20)
		for i := range draws {
			draws[i] = portable.NormFloat64(r)
		}
		return [][]float64{draws}
	case "point":
		return [][]float64{{0}, {3}}
	}
	return nil
}

// TestFamilies runs the conformance test of families on all of them.
func TestFamilies(t *testing.T) {
	for _, f := range distribution.Families {
		t.Run(f.Name, func(t *testing.T) { check.TestFamily(t, f, examples(f.Name)...) })
	}
}

// TestMoments compares mean and standard deviation with the moments of quantiles.
func TestMoments(t *testing.T) {
	for _, f := range distribution.Families {
		for _, p := range examples(f.Name) {
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
