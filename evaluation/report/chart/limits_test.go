package chart

import (
	"math"
	"testing"
)

func TestFences(t *testing.T) {
	inf := math.Inf(1)
	cases := []struct {
		name      string
		values    []float64
		low, high float64 // by hand
	}{
		{"none", nil, 0, 1},
		{"nothing finite", []float64{inf, math.NaN()}, 0, 1},
		{"all near", []float64{1, 2, 3, 4, 5, 6, 7, 8}, 0, 8},
		// Quartiles 3 and 7, fence at 7 + 1.5·4; tolerance a quarter of -3 to 13.
		{"one huge", []float64{1, 2, 3, 4, 5, 6, 7, 8, 1.4e6}, 0, 13},
		{"one tolerable", []float64{1, 2, 3, 4, 5, 6, 7, 8, 17}, 0, 17},
		{"infinite", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, inf}, 0, 9},
		{"negative", []float64{-8, -7, -6, -5, -4, -3, -2, -1}, -8, -1},
		{"far below", []float64{-1e9, -8, -7, -6, -5, -4, -3, -2, -1}, -7 - 1.5*4, -1},
		{"all the same", []float64{-4, -4}, -6, -2},
	}
	for _, c := range cases {
		if low, high := Fences(c.values); low != c.low || high != c.high {
			t.Errorf("%s: %v to %v; want %v to %v", c.name, low, high, c.low, c.high)
		}
	}
}

func TestQuantiles(t *testing.T) {
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i + 1)
	}
	values[999] = 1e9
	// By hand: 1 % on either side are left out; at the lower end, near the
	// limit, nothing is.
	if low, high := Quantiles(values, 0.98); low != 1 || high != 990 {
		t.Errorf("%v to %v; want 1 to 990", low, high)
	}
	if low, high := Quantiles([]float64{math.NaN()}, 0.98); low != 0 || high != 1 {
		t.Errorf("%v to %v; want 0 to 1", low, high)
	}
}
