package portable

import "math"

// ½π in three parts. The first two have 33 bits, so that their products with an
// integer below 2²⁰ are exact.
const (
	halfPi1 = 0x1.921fb544p0
	halfPi2 = 0x1.0b4611a6p-34
	halfPi3 = math.Pi/2 - halfPi1 - halfPi2
)

// Sin is the sine of x radians, and NaN for ±Inf.
func Sin(x float64) float64 {
	if x == 0 {
		return x
	}
	return turned(x, 0)
}

// Cos is the cosine of x radians, and NaN for ±Inf.
func Cos(x float64) float64 {
	return turned(x, 1)
}

// turned is sin(x + quarters·½π).
func turned(x float64, quarters int) float64 {
	n, r, d := quadrant(x)
	n += quarters
	y := sine(r, d)
	if n&1 != 0 {
		y = cosine(r, d)
	}
	if n&2 != 0 {
		return -y
	}
	return y
}

// quadrant is x as n·½π + r + d, |r| ≤ ¼π and d what r lost.
func quadrant(x float64) (n int, r, d float64) {
	switch size := math.Abs(x); {
	case !(size < math.Inf(1)):
		return 0, math.NaN(), 0
	case size > 1e6:
		return farQuadrant(x)
	}
	k := float64(x*(2/math.Pi)) + roundingShift
	k -= roundingShift
	a := x - float64(k*halfPi1) // exact
	b := float64(k * halfPi2)
	c := a - b
	v := c - a
	low := (a - (c - v)) - (b + v) // a − b = c + low exactly (Knuth's TwoSum)
	low -= float64(k * halfPi3)
	r = c + low
	return int(k), r, (c - r) + low
}

var (
	sineTerms = []float64{1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
		-1.0 / 1307674368000, 1.0 / 355687428096000, 0}
	cosineTerms = []float64{1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
		-1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000}
)

// sine is sin(r+d), by its Taylor series up to r¹⁷.
func sine(r, d float64) float64 {
	s := float64(r * r)
	t := mulAdd(s, polynomial(s, sineTerms), -1.0/6) // (sin r − r)/r³
	return r + (float64(float64(s*r)*t) + mulAdd(float64(-0.5*s), d, d))
}

// cosine is cos(r+d), by its Taylor series up to r¹⁸.
func cosine(r, d float64) float64 {
	s := float64(r * r)
	half := float64(0.5 * s)
	high := 1 - half
	return high + (((1 - high) - half) + (float64(float64(s*s)*polynomial(s, cosineTerms)) - float64(r*d)))
}
