package distribution

import (
	"math"
	"sync"

	"sml/internal/portable"
)

// gaussLegendre returns the points in [0, 1] and the weights of Gauss-Legendre quadrature: the
// integral of a function from 0 to 1 is nearly the weighted sum of its values at the points. The
// points are the roots of the Legendre polynomial of degree 64, moved from [−1, 1]. Source:
// Abramowitz and Stegun, 25.4.29.
var gaussLegendre = sync.OnceValues(func() (points, weights []float64) {
	const degree = 64
	const newtonSteps = 10 // more than enough: each step doubles the number of correct digits
	for i := range degree {
		x := portable.Cos(math.Pi * (float64(i) + 0.75) / (degree + 0.5)) // close to root i
		var slope float64                                                 // of the polynomial at the root
		for range newtonSteps {
			var value float64
			value, slope = legendre(degree, x)
			x -= value / slope
		}
		points = append(points, float64((1+x)/2)) // from [−1, 1] to [0, 1]
		// On [−1, 1] the weight is 2/((1 − x²) slope²). [0, 1] is half as wide, and so is the weight.
		weights = append(weights, 1/(float64((1-float64(x*x))*slope)*slope))
	}
	return points, weights
})

// legendreValues returns the Legendre polynomials of the degrees 0 to 63 at each point of gaussLegendre, moved to [−1, 1].
var legendreValues = sync.OnceValue(func() [][]float64 {
	points, _ := gaussLegendre()
	values := make([][]float64, len(points))
	for k := range values {
		coefficients := make([]float64, k+1)
		coefficients[k] = 1
		for _, point := range points {
			values[k] = append(values[k], sumLegendre(coefficients, float64(2*point)-1))
		}
	}
	return values
})

// legendre returns the value and the slope at x, with |x| < 1, of the Legendre polynomial of a degree
// n. The value follows from the recurrence (k+1) Pₖ₊₁ = (2k+1) x Pₖ − k Pₖ₋₁, and the slope is
// n (x Pₙ − Pₙ₋₁)/(x² − 1). Source: Abramowitz and Stegun, 8.5.3 and 8.5.4.
func legendre(degree, x float64) (value, slope float64) {
	previous, value := 1.0, x // P₀ and P₁
	for k := 1.0; k < degree; k++ {
		next := (float64(float64((2*k+1)*x)*value) - float64(k*previous)) / (k + 1)
		previous, value = value, next
	}
	// Now value is Pₙ, and previous is Pₙ₋₁.
	slope = degree * (float64(x*value) - previous) / (float64(x*x) - 1)
	return value, slope
}
