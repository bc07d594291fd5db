package paper

import (
	"math"
	"testing"

	"sml/internal/portable"
)

// doubleIntegral is the definition that stands above equation 4 of the paper,
// ∫∫ (|y1| − |y2|)² p1(y1) p2(y2) dy1 dy2, with Simpson's rule over ten
// standard deviations on either side. Intervals end at the kinks, y = 0.
func doubleIntegral(mu, sigma float64) float64 {
	y1, w1 := simpson(-10, 0, 10)
	y2, w2 := simpson(mu-10*sigma, 0, mu+10*sigma)
	var sum float64
	for i := range y1 {
		for j := range y2 {
			d := math.Abs(y1[i]) - math.Abs(y2[j])
			sum += w1[i] * w2[j] * d * d * portable.NormalPDF(y1[i]) * portable.NormalPDF((y2[j]-mu)/sigma) / sigma
		}
	}
	return sum
}

// simpson returns nodes and weights over [low, kink] and [kink, high], or over
// [low, high] where the kink lies outside.
func simpson(low, kink, high float64) (nodes, weights []float64) {
	edges := []float64{low, kink, high}
	if kink <= low || kink >= high {
		edges = []float64{low, high}
	}
	const n = 400 // even
	for e := 1; e < len(edges); e++ {
		h := (edges[e] - edges[e-1]) / n
		for i := 0; i <= n; i++ {
			weight := h / 3
			if i > 0 && i < n {
				weight *= float64(2 + 2*(i%2))
			}
			nodes = append(nodes, edges[e-1]+float64(i)*h)
			weights = append(weights, weight)
		}
	}
	return nodes, weights
}

func TestExpectedSecondTermIsTheIntegral(t *testing.T) {
	for _, mu := range []float64{-1.3, 0, 0.2, math.Sqrt(2 / math.Pi), 2.5} {
		for _, sigma := range []float64{0.05, 0.3, bifurcation, 1, 1.7} {
			near(t, "L_sml", expectedSecondTerm(mu, sigma), doubleIntegral(mu, sigma), 1e-7)
		}
	}
}

func TestExpectedSecondTermByHand(t *testing.T) {
	// With σ = 0: E(|r| − |μ|)² = 1 − 2·|μ|·√(2/π) + μ²; at μ = 0 it is E r² = 1.
	near(t, "nothing drawn", expectedSecondTerm(0, 0), 1, 0)
	near(t, "global minimum", expectedSecondTerm(-math.Sqrt(2/math.Pi), 0), 1-2/math.Pi, 1e-15)
	near(t, "limit σ → 0", expectedSecondTerm(0.7, 1e-9), expectedSecondTerm(0.7, 0), 1e-12)
	// With μ = 0, σ = 1, |s| is distributed as |r|: twice its variance, 2·(1 − 2/π).
	near(t, "equal spreads", expectedSecondTerm(0, 1), 2*(1-2/math.Pi), 1e-15)
}

func TestBestMean(t *testing.T) {
	near(t, "σ = 0", bestMean(0), math.Sqrt(2/math.Pi), 0)
	near(t, "σ = 2/π", bestMean(bifurcation), 0, 0)
	near(t, "σ = 3", bestMean(3), 0, 0)
	if mu := bestMean(bifurcation - 1e-4); mu < 1e-3 || mu > 0.1 {
		t.Errorf("just below the bifurcation μ is %v; want a little above 0", mu)
	}
	for sigma := 0.02; sigma < 1.2; sigma += 0.02 {
		// No μ on a fine grid does better.
		best := expectedSecondTerm(bestMean(sigma), sigma)
		for mu := -2.0; mu <= 2; mu += 0.001 {
			if expectedSecondTerm(mu, sigma) < best-1e-14 {
				t.Fatalf("σ = %v: μ = %v is better than %v", sigma, mu, bestMean(sigma))
			}
		}
	}
}

// near fails the test unless a number is within a tolerance of the expected one.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v; want %v", name, got, want)
	}
}
