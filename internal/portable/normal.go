package portable

import "math"

// NormalCDF is Φ(z), the distribution function of N(0,1), with full relative
// precision in the lower tail. NormalCDF(−z) is 1 − NormalCDF(z) in every bit for
// z ≥ 0.
func NormalCDF(z float64) float64 { return float64(0.5 * Erfc(-z/math.Sqrt2)) }

// NormalPDF is φ(z), the density of N(0,1).
func NormalPDF(z float64) float64 {
	return Exp(float64(-z*z)/2) / math.Sqrt(2*math.Pi)
}

// NormalQuantile is Φ⁻¹(q): −Inf at 0, +Inf at 1, NaN outside. It is odd about
// ½: NormalQuantile(1−q) is −NormalQuantile(q) in every bit where 1−q is exact.
func NormalQuantile(q float64) float64 {
	switch {
	case !(q >= 0 && q <= 1):
		return math.NaN()
	case q > 0.5:
		return -lowerQuantile(1 - q) // exact
	}
	return lowerQuantile(q)
}

// lowerQuantile is Φ⁻¹(q) for q ≤ ½.
func lowerQuantile(q float64) float64 {
	if q == 0 {
		return math.Inf(-1)
	}
	if q <= 0.25 {
		square := float64(-2 * Log(q))
		r := math.Sqrt(square)
		first, rest := quantileTail.at(r)
		// Of the two sums, what rounding takes from the first goes to the second.
		// That of the root goes there too: (square − r²)/2r, with r² exact in parts.
		a, b := halves(r)
		lost := ((square - float64(a*a)) - float64(2*float64(a*b))) - float64(b*b)
		high := r + first
		return -(high + (((r - high) + first) + (rest + lost/float64(2*r))))
	}
	d := q - 0.5
	s := float64(d * d)
	i := int(float64(s * 32))
	first, rest := quantileMiddle[i].at(s - float64((float64(i)+0.5)/32))
	return float64(d*first) + float64(d*rest)
}
