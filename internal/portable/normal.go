package portable

import "math"

// NormalCDF returns Φ(z), the probability that a number from N(0, 1) is at most z, with full relative
// precision in the lower tail. NormalCDF(−z) is 1 − NormalCDF(z) in every bit for z ≥ 0.
func NormalCDF(z float64) float64 { return float64(0.5 * Erfc(-z/math.Sqrt2)) }

// NormalPDF returns φ(z), the density of N(0, 1) at z.
func NormalPDF(z float64) float64 {
	return Exp(float64(-z*z)/2) / math.Sqrt(2*math.Pi)
}

// NormalQuantile returns Φ⁻¹(q), the quantile of N(0, 1) at level q. It is −Inf for 0, +Inf for 1 and
// NaN outside of [0, 1]. NormalQuantile(1−q) is −NormalQuantile(q) in every bit if 1−q is exact.
func NormalQuantile(q float64) float64 {
	switch {
	case !(q >= 0 && q <= 1):
		return math.NaN()
	case q > 0.5:
		return -lowerQuantile(1 - q) // exact
	}
	return lowerQuantile(q)
}

// lowerQuantile returns Φ⁻¹(q) for 0 ≤ q ≤ ½.
func lowerQuantile(q float64) float64 {
	switch {
	case q == 0:
		return math.Inf(-1)
	case q <= 0.25:
		return tailQuantile(q)
	}
	return middleQuantile(q)
}

// tailQuantile returns Φ⁻¹(q) for 0 < q ≤ ¼. In the tail −Φ⁻¹(q) is near r = √(−2·log q), since the
// density is about e^(−r²/2) there. The table quantileTail holds the difference from r, which is
// smooth.
func tailQuantile(q float64) float64 {
	square := float64(-2 * Log(q))
	r := math.Sqrt(square)
	first, rest := quantileTail.evaluate(r)

	// The rounding error of the root is (square − r²)/2r, where r² is computed exactly from two halves.
	rHigh, rLow := halves(r)
	squareError := ((square - float64(rHigh*rHigh)) - float64(2*float64(rHigh*rLow))) - float64(rLow*rLow)
	rootError := squareError / float64(2*r)

	// All rounding errors are added to the small part of the sum.
	high := r + first
	highError := (r - high) + first
	return -(high + (highError + (rest + rootError)))
}

// middleQuantile returns Φ⁻¹(q) for ¼ < q ≤ ½ as d·g(d²) with d = q − ½. The table quantileMiddle holds
// the function g, with one piece for each 1/32 of d².
func middleQuantile(q float64) float64 {
	const piecesPerUnit = 32
	d := q - 0.5
	square := float64(d * d)
	i := int(float64(square * piecesPerUnit))
	middle := float64((float64(i) + 0.5) / piecesPerUnit) // of the interval of piece i
	first, rest := quantileMiddle[i].evaluate(square - middle)
	return float64(d*first) + float64(d*rest)
}
