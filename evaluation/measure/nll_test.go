package measure

import (
	"math"
	"testing"
)

func TestNLL(t *testing.T) {
	cases := []struct {
		name         string
		mean, std, y float64
		want         float64
	}{
		// By hand; where std = 1 the two 1e-10 shift the value by 2.5e-11.
		{"exact mean, std 1", 3, 1, 3, 0.5 * math.Log1p(1e-10)},
		{"off by 2, std 1", 1, 1, 3, 0.5*math.Log1p(1e-10) + 4/(2+1e-10)},
		{"exact mean, std e", 0, math.E, 0, 1 + 0.5*math.Log1p(1e-10*math.Exp(-2))},
		// By hand: ½·log 1e-10 = −5·log 10, and 1e-10/1e-10 = 1.
		{"std 0", 1e-5, 0, 0, -5*math.Ln10 + 1},
	}
	for _, c := range cases {
		got := nll.Compute(&Column{Mean: []float64{c.mean}, Std: []float64{c.std}, Y: []float64{c.y}})
		near(t, c.name, got, c.want, 1e-14)
	}
}
