package portable

import "math"

const (
	minNormal    = 0x1p-1022          // smallest float64 that is not denormal
	sqrtHalfBits = 0x3FE6A09E667F3BCD // bits of √½
)

// Log returns the natural logarithm of x. It is −Inf for 0 and −0, and NaN for x < 0.
func Log(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case !(x < math.Inf(1)): // +Inf or NaN
		return x
	}
	e, f := split(x)
	return logFromParts(float64(e), f, 0)
}

// Log1p returns log(1+x) with full precision near 0. It is −Inf for −1, and NaN for x < −1.
func Log1p(x float64) float64 {
	switch {
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case !(x < math.Inf(1)): // +Inf or NaN
		return x
	case math.Abs(x) < 0x1p-54: // x²/2 is below the last digit of x
		return x
	}
	sum := 1 + x
	// sumError is the rounding error of sum: 1 + x = sum + sumError exactly (Knuth's TwoSum).
	roundedX := sum - 1
	sumError := (1 - (sum - roundedX)) + (x - roundedX)
	e, f := split(sum)
	if e == 0 { // 1 + x lies between √½ and √2, so that x itself is f, without rounding
		return logFromParts(0, x, 0)
	}
	// log(sum + sumError) ≈ log(sum) + sumError/sum
	return logFromParts(float64(e), f, sumError/sum)
}

// split returns e and f such that x = 2^e·(1+f) and √½ ≤ 1+f < √2. x must be finite and above 0.
//
// The bits of a positive float64 are its exponent and then 52 bits of mantissa. Bits of x minus bits
// of √½ therefore have e as their exponent, also if it is negative.
func split(x float64) (e int, f float64) {
	const mantissaBits = 52
	if x < minNormal {
		x *= 0x1p54 // makes x normal
		e = -54
	}
	bits := math.Float64bits(x)
	n := int64(bits-sqrtHalfBits) >> mantissaBits
	return e + int(n), math.Float64frombits(bits-uint64(n)<<mantissaBits) - 1
}

// logFromParts returns e·log 2 + log(1+f) + d, where d is a correction that is small beside the rest.
//
// With s = f/(2+f), log(1+f) is 2·artanh s = 2s + s·t, where t = ⅔s² + ⅖s⁴ + …. The series ends with
// s²⁰; the omitted terms are below 2⁻⁵⁹. Since 2s = f − s·f and s·f = ½f² − s·½f², log(1+f) is
// f − (½f² − s·(½f² + t)), in which the largest term, f, is exact.
func logFromParts(e, f, d float64) float64 {
	s := f / (2 + f)
	sSquare := float64(s * s)
	t := float64(sSquare * polynomial(sSquare, logTerms))
	halfFSquare := float64(0.5 * float64(f*f))
	low := float64(s*(halfFSquare+t)) + (float64(e*ln2Lo) + d)
	return float64(e*ln2Hi) - ((halfFSquare - low) - f)
}

// logTerms holds the coefficients 2/(2k+1) of the series of 2·artanh(s)/s, from k = 1 on.
var logTerms = []float64{2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21}

// Log2 returns the logarithm of x to base 2. It is exact for powers of two.
func Log2(x float64) float64 {
	if !(x > 0 && x < math.Inf(1)) {
		return Log(x)
	}
	e, f := split(x)
	return float64(e) + float64(logFromParts(0, f, 0)*log2E)
}
