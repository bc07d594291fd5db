package trainers

import "testing"

// The share of SWA is of whole epochs, also where the product is not exact in float64: 0.29 · 100 is
// 28.999999999999996.
func TestFirstEpochsOfAverage(t *testing.T) {
	for _, c := range []struct {
		share  float64
		epochs int
		want   int
	}{{0, 10, 0}, {0.75, 100, 75}, {0.29, 100, 29}, {0.8, 8, 6}, {swaRange.Max, 1000000, 999999}} {
		if got := (Average{SWA, c.share}).epochsBefore(c.epochs); got != c.want {
			t.Errorf("%v of %d epochs: %d, want %d", c.share, c.epochs, got, c.want)
		}
	}
}
