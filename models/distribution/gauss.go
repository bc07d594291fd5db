package distribution

import (
	"math"
	"sync"

	"sml/internal/portable"
)

// gaussLegendre returns the 64 places in [0, 1] and the weights of Gauss's rule: an
// integral from 0 to 1 is the weighted sum of the values at the places. Source: Abramowitz
// and Stegun, 25.4.29; the places are found by Newton's steps on Legendre's polynomial.
var gaussLegendre = sync.OnceValues(func() (places, weights []float64) {
	const n = 64
	places, weights = make([]float64, n), make([]float64, n)
	for i := range n {
		x := portable.Cos(math.Pi * (float64(i) + 0.75) / (n + 0.5))
		var slope float64
		for range 10 {
			value, before := x, 1.0 // Legendre's polynomials of degrees k and k−1
			for k := 1.0; k < n; k++ {
				value, before = (float64(float64((2*k+1)*x)*value)-float64(k*before))/(k+1), value
			}
			slope = n * (float64(x*value) - before) / (float64(x*x) - 1)
			x -= value / slope
		}
		places[i] = float64((1 + x) / 2)
		weights[i] = 1 / (float64((1-float64(x*x))*slope) * slope)
	}
	return places, weights
})
