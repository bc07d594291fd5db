package portable

import "math"

// Sinh returns the hyperbolic sine of x, (e^x − e^−x)/2, with full precision near 0. It is ±Inf beyond
// ±710.48. Sinh(−x) is −Sinh(x) in every bit.
func Sinh(x float64) float64 {
	size := math.Abs(x)
	if size < 1 {
		// With m = e^x − 1, the difference of m and −m/(m+1) does not cancel.
		m := Expm1(size)
		return math.Copysign(float64(0.5*(m+m/(m+1))), x)
	}
	half := halfExp(size)
	return math.Copysign(half-0.25/half, x)
}

// Cosh returns the hyperbolic cosine of x, (e^x + e^−x)/2. It is +Inf beyond ±710.48.
func Cosh(x float64) float64 {
	half := halfExp(math.Abs(x))
	return half + 0.25/half
}

// halfExp returns e^x/2 for x ≥ 0, also where e^x is larger than any float64 and its half is not.
func halfExp(x float64) float64 {
	const overflow = 711 // from here on, e^x/2 is larger than any float64
	if !(x < overflow) { // also if x is NaN
		return x * math.Inf(1)
	}
	p := reduce(x, 0)
	return scale(p.high+p.low, p.n-1)
}

// Asinh returns the inverse hyperbolic sine of x, log(x + √(x²+1)), with full precision near 0. Asinh(−x)
// is −Asinh(x) in every bit.
func Asinh(x float64) float64 {
	const squareIsAll = 1 << 28 // from here on, x² + 1 is x² after rounding
	size := math.Abs(x)
	switch {
	case size < 2:
		// x + √(x²+1) − 1 = x + x²/(1 + √(x²+1)), without cancellation.
		square := float64(x * x)
		return math.Copysign(Log1p(size+square/(1+math.Sqrt(square+1))), x)
	case size < squareIsAll:
		// x + √(x²+1) = 2x + 1/(x + √(x²+1))
		square := float64(x * x)
		return math.Copysign(Log(2*size+1/(size+math.Sqrt(square+1))), x)
	}
	return math.Copysign(Log(size)+math.Ln2, x) // log 2x, also where 2x is +Inf
}
