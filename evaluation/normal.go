package evaluation

import "math"

// normalCDF is Φ(z), with full relative precision in the lower tail.
func normalCDF(z float64) float64 {
	return 0.5 * math.Erfc(-z/math.Sqrt2)
}

// normalPDF is φ(z), the density of N(0,1).
func normalPDF(z float64) float64 {
	return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
}
