package evaluation

import (
	"math"
	"testing"
)

// near accepts NaN for NaN and an infinity for itself.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	same := got == want || math.IsNaN(got) && math.IsNaN(want)
	if !same && !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v; want %v", name, got, want)
	}
}
