package linear

import (
	"math"
	"slices"
	"testing"
)

// The factor of {{4, 6}, {6, 10}} is {{2, 0}, {3, 1}}: computed by hand.
func TestCholesky(t *testing.T) {
	factor := NewCholesky([][]float64{{4, 0}, {6, 10}})
	if factor[0][0] != 2 || factor[1][0] != 3 || factor[1][1] != 1 {
		t.Errorf("the factor is %v", factor)
	}
	if x := factor.Solve([]float64{16, 26}); !slices.Equal(x, []float64{1, 2}) {
		t.Errorf("the solution is %v; want [1 2]", x)
	}
	// The inverse is {{10, −6}, {−6, 4}}/4.
	if trace := factor.InverseTrace(); math.Abs(trace-3.5) > 1e-15 {
		t.Errorf("the trace of the inverse is %v; want 3.5", trace)
	}
}

// Dot adds what a plain loop adds, for every length of the rest behind its groups of four.
func TestDot(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	want := 0.0
	for n := range a {
		if got := Dot(a[:n], a[:n]); got != want {
			t.Errorf("%d elements: %v; want %v", n, got, want)
		}
		want += a[n] * a[n]
	}
}
