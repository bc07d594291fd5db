package portable

import "math"

// Atan returns the arctangent of x, in radians. Atan(−x) is −Atan(x) in every bit.
func Atan(x float64) float64 {
	const halfPi, halfPiError = 1.5707963267948966, 6.123233995736766e-17 // their sum is ½π
	size := math.Abs(x)
	if size <= 1 {
		first, rest := atanTo1(size)
		return math.Copysign(first+rest, x)
	}
	first, rest := atanTo1(1 / size) // arctan x = ½π − arctan 1/x
	return math.Copysign((halfPi-first)+(halfPiError-rest), x)
}

// atanTo1 returns arctan x for 0 ≤ x ≤ 1, or for NaN, as the sum of two numbers, of which rest is small.
//
// With c the multiple of ⅛ nearest to x, arctan x = arctan c + arctan t for t = (x − c)/(1 + c·x). |t| is
// at most 1/16, so that the Taylor series up to t¹³ leaves a relative error of 2⁻⁶⁰.
func atanTo1(x float64) (first, rest float64) {
	const steps = 8 // multiples of ⅛ from 0 to 1
	if x != x {
		return x, x
	}
	i := int(float64(x*steps) + 0.5)
	c := float64(float64(i) / steps)
	t := (x - c) / (1 + float64(c*x))
	square := float64(t * t)
	tail := float64(float64(t*square) * polynomial(square, atanTerms)) // arctan t − t
	if i == 0 {
		return t, tail
	}
	return atanOfEighths[i].first, t + (atanOfEighths[i].rest + tail)
}

// atanTerms holds the coefficients (−1)ᵏ/(2k+1) of the series of arctan, from k = 1 on.
var atanTerms = []float64{-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13}

// atanOfEighths holds arctan i/8 as the sum of a float64 and its rounding error, computed with mpmath.
var atanOfEighths = [...]struct{ first, rest float64 }{
	{0, 0},
	{0.12435499454676144, -3.1253241424539383e-18},
	{0.24497866312686414, 1.0698755618734451e-17},
	{0.35877067027057225, -2.4623815582638635e-17},
	{0.4636476090008061, 2.2698777452961687e-17},
	{0.5585993153435624, -5.4556305485916264e-18},
	{0.6435011087932844, 1.5834785051444286e-17},
	{0.7188299996216245, -2.1478388444456983e-17},
	{0.7853981633974483, 3.061616997868383e-17},
}
