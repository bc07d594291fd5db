package report

import (
	"math"
	"strings"
	"testing"

	"sml/evaluation"
)

func TestSecondTermSurface(t *testing.T) {
	image := svgOf(t, SecondTermSurface())
	if got := strings.Count(image, "<image "); got != 2 {
		t.Errorf("%d pictures; want the surface and the colour bar", got)
	}
	if got := strings.Count(image, "stroke:#1B5FC1;stroke-width:1.6"); got != 3 {
		t.Errorf("%d lines of minima; want the arms, the stem and the legend's", got)
	}
	if !strings.Contains(image, ">global minima<") {
		t.Error("the legend does not name the global minima")
	}
}

func TestBandsHoldTheSurface(t *testing.T) {
	// No value that is shown lies beyond the colours.
	for mu := -1.5; mu <= 1.5; mu += 0.05 {
		for sigma := 0.0; sigma <= 1.1; sigma += 0.05 {
			if v := evaluation.AnalyticSecondTerm(mu, sigma); v < bandsFrom || v > bandsTo {
				t.Errorf("value %v at (%v, %v) lies beyond %v to %v", v, mu, sigma, bandsFrom, bandsTo)
			}
		}
	}
}

func TestSpreadOfMinimum(t *testing.T) {
	for _, sigma := range []float64{0.2, 0.4, 0.6} {
		if got := spreadOfMinimum(-evaluation.AnalyticMinimum(sigma)); math.Abs(got-sigma) > 1e-6 {
			t.Errorf("the minimum of σ = %v is that of %v", sigma, got)
		}
	}
	if got := spreadOfMinimum(0); math.Abs(got-evaluation.Bifurcation) > 1e-9 {
		t.Errorf("μ = 0 is the minimum from σ = %v on; want 2/π", got)
	}
}
