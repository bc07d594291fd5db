package portable

import "math"

// halfPi1, halfPi2 and halfPi3 add up to ½π. The first two have 33 bits, so that their products with
// an integer below 2²⁰ are exact. Source: Cody and Waite 1980, Software manual for the elementary
// functions.
const (
	halfPi1 = 0x1.921fb544p0
	halfPi2 = 0x1.0b4611a6p-34
	halfPi3 = math.Pi/2 - halfPi1 - halfPi2
)

// Sin returns the sine of x, in radians. It is NaN for ±Inf.
func Sin(x float64) float64 {
	if x == 0 {
		return x
	}
	return sineAfterQuarters(x, 0)
}

// Cos returns the cosine of x, in radians. It is NaN for ±Inf.
func Cos(x float64) float64 {
	return sineAfterQuarters(x, 1)
}

// sineAfterQuarters returns sin(x + quarters·½π). With x = n·½π + r, it is sin r, cos r, −sin r or
// −cos r, in turn, for each quarter of a circle.
func sineAfterQuarters(x float64, quarters int) float64 {
	n, r, d := quadrant(x)
	n += quarters
	isCosine := n&1 != 0
	isNegative := n&2 != 0
	y := sine(r, d)
	if isCosine {
		y = cosine(r, d)
	}
	if isNegative {
		return -y
	}
	return y
}

// quadrant returns n, r and d such that x = n·½π + r + d. |r| is at most ¼π, and d is the rounding
// error of r. r is NaN if x is infinite or NaN.
//
// It subtracts n·½π in three parts, the largest first, so that the digits of r + d are right although
// most digits of x and n·½π cancel.
func quadrant(x float64) (n int, r, d float64) {
	const far = 1e6 // from here on, n is too large for exact products with halfPi1 and halfPi2
	size := math.Abs(x)
	if !(size < math.Inf(1)) { // infinite or NaN
		return 0, math.NaN(), 0
	}
	if size > far {
		return farQuadrant(x)
	}
	// Adding and subtracting roundingShift rounds to the nearest integer.
	quarters := float64(x*(2/math.Pi)) + roundingShift
	quarters -= roundingShift

	// remainder − part2 = high + low exactly (Knuth's TwoSum).
	remainder := x - float64(quarters*halfPi1) // exact
	part2 := float64(quarters * halfPi2)       // exact
	high := remainder - part2
	roundedPart2 := high - remainder // −part2, as far as high contains it
	low := (remainder - (high - roundedPart2)) - (part2 + roundedPart2)

	low -= float64(quarters * halfPi3)
	r = high + low
	return int(quarters), r, (high - r) + low
}

// sineTerms and cosineTerms hold the coefficients ±1/k! of the series of sine, from k = 5 on, and of
// cosine, from k = 4 on.
var (
	sineTerms = []float64{1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
		-1.0 / 1307674368000, 1.0 / 355687428096000, 0}
	cosineTerms = []float64{1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
		-1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000}
)

// sine returns sin(r+d) for |r| ≤ ¼π and a small correction d, by the Taylor series up to r¹⁷.
func sine(r, d float64) float64 {
	square := float64(r * r)
	t := mulAdd(square, polynomial(square, sineTerms), -1.0/6) // (sin r − r)/r³
	correction := mulAdd(float64(-0.5*square), d, d)           // d·cos r
	return r + (float64(float64(square*r)*t) + correction)
}

// cosine returns cos(r+d) for |r| ≤ ¼π and a small correction d, by the Taylor series up to r¹⁸.
func cosine(r, d float64) float64 {
	square := float64(r * r)
	half := float64(0.5 * square)
	high := 1 - half
	highError := (1 - high) - half
	tail := float64(float64(square*square) * polynomial(square, cosineTerms))
	return high + (highError + (tail - float64(r*d)))
}
