package paper

import (
	"fmt"
	"math"
	"testing"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/internal/expect"
)

// Claims about mathematics hold, by the numbers that the table of claims has.
func TestProvenClaims(t *testing.T) {
	list := checkClaims(new(report.Report), new(part))
	for begins, want := range map[string]string{
		"WS distinguishes two":       equalResiduals(t),
		"The second term's expect":   secondTermMinimum(t),
		"Under ideal uncertainties ": idealDraws(),
		// Equation 6 of the paper with its constant.
		"Of two samples the one":  fmt.Sprintf("%.3f and %.3f", gaussianNLL(1, 0.5, -0.4, 0, -1.9, -0.7), gaussianNLL(1, 0, 0.1, 0, -0.1, 0)),
		"Of two samples that are": fmt.Sprintf("larger by %.4f for σ₂ = 3σ₁; log 3 = %.4f", gaussianNLL(3, -3, 0, 6)-gaussianNLL(1, -1, 0, 2), math.Log(3)),
	} {
		if f := findingOf(t, list, begins); f.verdict != holds || f.reason != want {
			t.Errorf("%s …: %s, %q; want %q", begins, f, f.reason, want)
		}
	}
}

// equalResiduals returns the scores of two rows whose residuals are all 10, or all 20, standard deviations.
func equalResiduals(t *testing.T) string {
	scores := make(map[string][]any)
	for _, residual := range []float64{10, 20} {
		column := expect.Must(measure.NewColumn([]float64{residual, residual}, []float64{1, 1}, []float64{0, 0}, data.Sound))
		for _, name := range []string{"ece", "ws"} {
			m := expect.Must(measure.Lookup(name))
			scores[name] = append(scores[name], m.Compute(column))
		}
	}
	return fmt.Sprintf("ECE %.2f and %.2f, ", scores["ece"]...) + fmt.Sprintf("WS %.2f and %.2f", scores["ws"]...)
}

// secondTermMinimum returns where the second term's expectation is smallest, on a grid of μ_drop and σ_drop. The best μ of
// each σ must be above 0 until σ = 2/π, where the two minima ±μ join, and 0 from there on.
func secondTermMinimum(t *testing.T) string {
	const step, largest, margin = 0.005, 1.5, 0.02
	smallest, smallestMu, smallestSigma := math.Inf(1), 0.0, 0.0
	for sigma := 0.0; sigma <= largest; sigma += step {
		best, bestMu := math.Inf(1), 0.0
		for mu := 0.0; mu <= largest; mu += step {
			if value := expectedSecondTerm(mu, sigma); value < best {
				best, bestMu = value, mu
			}
		}
		if best < smallest {
			smallest, smallestMu, smallestSigma = best, bestMu, sigma
		}
		if sigma < bifurcation-margin && bestMu == 0 || sigma > bifurcation+margin && bestMu > 0 {
			t.Errorf("at σ = %v the best μ is %v", sigma, bestMu)
		}
	}
	return fmt.Sprintf("on a grid of 0.005: smallest at μ = %.3f (√(2/π) = %.3f), σ = %.3f; the minimum leaves μ = 0 within 0.02 of σ = 2/π", smallestMu, math.Sqrt(2/math.Pi), smallestSigma)
}

// idealDraws returns the correlation of |r| and σ by the formula and by the draws of figure 10.
func idealDraws() string {
	points := idealPoints(1)
	return fmt.Sprintf("correlation %.3f, and %.3f of %d draws, of which %.1f and %.1f %% lie within",
		idealCorrelation(), sizeCorrelation(points), len(points.X), percentWithin(points, 1), percentWithin(points, 3))
}

// gaussianNLL returns the mean negative log-likelihood of values under N(0, sigma²).
func gaussianNLL(sigma float64, values ...float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v * v / (2 * sigma * sigma) / float64(len(values))
	}
	return sum + math.Log(math.Sqrt(2*math.Pi)*sigma)
}
