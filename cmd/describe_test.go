package cmd

import (
	"math"
	"testing"
)

// The population standard deviation of s and −s is s, wherever in float64 that lies.
func TestDeviationOfAnySize(t *testing.T) {
	for _, s := range []float64{1, 3e200, math.MaxFloat64, 1e-200, math.SmallestNonzeroFloat64} {
		if mean, std := meanAndDeviation([]float64{s, -s}, s); mean != 0 || std != s {
			t.Errorf("of %g and %g: mean %g, std %g", s, -s, mean, std)
		}
		if mean, std := meanAndDeviation([]float64{s, s, s}, s); mean != s || std != 0 {
			t.Errorf("of %g alone: mean %g, std %g", s, mean, std)
		}
	}
}
