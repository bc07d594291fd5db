package measure

import (
	"math"
	"testing"
)

func TestCRPS(t *testing.T) {
	of := func(mean, std, y []float64) float64 { return crps.Compute(&Column{Mean: mean, Std: std, Y: y}) }
	cases := []struct{ mean, std, y, want float64 }{
		// mpmath 1.3.0: the definition, ∫(F(x) − 1{x ≥ y})² dx, by quad of
		// ncdf((x-mean)/std)**2 below y and (1-ncdf((x-mean)/std))**2 above it.
		{0, 1, 0, 0.233694977255109069},
		{0, 1, 1.5, 0.99442400397745297},
		{2, 0.5, 1, 0.726395910842951494},
		{-1.2, 0.4, -0.7, 0.314793661225259752},
		{0.3, 2, 9, 7.57162655887989041},
		{1, 0.01, 1.2, 0.194358104164522437},
		// By hand: the absolute error of a point, and of what is next to one.
		{2, 0, -1, 3}, {1, 0, 1, 0}, {2, 5e-324, -1, 3},
	}
	for _, c := range cases {
		near(t, "CRPS", of([]float64{c.mean}, []float64{c.std}, []float64{c.y}), c.want, 1e-14*math.Max(1, c.want))
	}
	// As above, the mean over the twelve rows.
	near(t, "CRPS", of(someMean, someStd, someY), 0.508074874370797824, 1e-14)
}
