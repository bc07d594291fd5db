package report

import (
	"math"
	"testing"
)

// Expected: quantiles of binomial distributions, of n = 10 by hand, of n = 100 from
// tables (qbinom of R), and of n = 10⁶ by the normal approximation, which is that close.
func TestConsistency(t *testing.T) {
	for _, c := range []struct {
		n            int
		p, low, high float64
		within       float64
	}{
		{10, 0.1, 0, 3, 0},
		{1, 0.3, 0, 1, 0},
		{100, 0.5, 40, 60, 0},
		{100, 0.01, 0, 3, 0},
		{100, 0.99, 97, 100, 0},
		{1_000_000, 0.5, 500_000 - 1.959964*500, 500_000 + 1.959964*500, 1},
		{1_000_000, 0.01, 10_000 - 1.959964*math.Sqrt(9900), 10_000 + 1.959964*math.Sqrt(9900), 2},
	} {
		low, high := consistencyBand(c.n, c.p)
		if math.Abs(low*float64(c.n)-c.low) > c.within+1e-6 || math.Abs(high*float64(c.n)-c.high) > c.within+1e-6 {
			t.Errorf("n = %d, p = %v: between %v and %v, want %v and %v", c.n, c.p, low*float64(c.n), high*float64(c.n), c.low, c.high)
		}
	}
	if low, high := consistencyBand(0, 0.5); low != 0 || high != 1 {
		t.Errorf("of no rows: between %v and %v; want all", low, high)
	}
}

// Expected: Wilson's interval for 8 of 10, as in Brown et al. (2001).
func TestWilson(t *testing.T) {
	low, high := wilsonInterval(0.8, 10)
	if math.Abs(low-0.4902) > 1e-4 || math.Abs(high-0.9433) > 1e-4 {
		t.Errorf("between %v and %v; want 0.4902 and 0.9433", low, high)
	}
	if _, high := wilsonInterval(1, 3); high != 1 {
		t.Errorf("all of 3: up to %v; want 1", high)
	}
}
