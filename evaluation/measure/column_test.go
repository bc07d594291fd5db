package measure

import (
	"math"
	"testing"

	"sml/data"
)

func TestResiduals(t *testing.T) {
	negativeZero := math.Copysign(0, -1)
	mean := []float64{1, -1, 2, 2, 2, 0}
	std := []float64{0.5, 4, 0, 0, 0, negativeZero}
	y := []float64{2, 1, 2, 1, 3, -1}
	// By hand: (1−2)/0.5, (−1−1)/4; then 0/0, and ±1 over zero of either sign.
	want := []float64{-2, -0.5, 0, math.Inf(1), math.Inf(-1), math.Inf(1)}
	for i, got := range residuals(mean, std, y, data.Sound) {
		if got != want[i] {
			t.Errorf("row %d: r = %v; want %v", i, got, want[i])
		}
	}
}

// Under the paper protocol a std of 0 counts as 1e-10: the residual is large, not infinite.
func TestResidualsOfThePaper(t *testing.T) {
	mean, std, y := []float64{1, 2, 2, 2}, []float64{0.5, 0, 0, 1e-10}, []float64{2, 2, 1, 3}
	for i, want := range []float64{-1 / (0.5 + 1e-10), 0, 1e10, -5e9} { // by hand
		if got := residuals(mean, std, y, data.Paper)[i]; got != want {
			t.Errorf("row %d: r = %v; want %v", i, got, want)
		}
	}
}

func TestQuantiles(t *testing.T) {
	// SciPy 1.10.1: norm.cdf([-inf, -1, 0, 2, inf])
	want := []float64{0, 0.15865525393145707, 0.5, 0.9772498680518208, 1}
	for i, got := range normalCDFs([]float64{math.Inf(-1), -1, 0, 2, math.Inf(1)}) {
		near(t, "quantile", got, want[i], 1e-15)
	}
}
