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
