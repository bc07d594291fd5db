package paper

import (
	"strings"
	"testing"

	"sml/internal/expect"
)

func TestSecondTermSurface(t *testing.T) {
	figure, _, err := secondTermSurface(t.Context(), nil)
	expect.NoError(t, err)
	image := svgOf(t, figure)
	if got := strings.Count(image, "<image "); got != 1 {
		t.Errorf("%d pictures; want the surface", got)
	}
	if got := strings.Count(image, "stroke:#1C60C2;stroke-width:1.6"); got != 3 {
		t.Errorf("%d lines of minima; want the arms, the stem and the legend's", got)
	}
	for _, text := range []string{">global minima<", "≥ 0.3<", "≥ 1.8<"} { // the last two of the bands
		if !strings.Contains(image, text) {
			t.Errorf("the legend has no %s", text)
		}
	}
}

func TestBandsHoldTheSurface(t *testing.T) {
	// No drawn value lies beyond the colours.
	bandsHigh := bandsLow + bandWidth*float64(len(bandColours))
	for mu := -1.5; mu <= 1.5; mu += 0.05 {
		for sigma := 0.0; sigma <= 1.1; sigma += 0.05 {
			if v := expectedSecondTerm(mu, sigma); v < bandsLow || v > bandsHigh {
				t.Errorf("value %v at (%v, %v) lies beyond %v to %v", v, mu, sigma, bandsLow, bandsHigh)
			}
		}
	}
}
