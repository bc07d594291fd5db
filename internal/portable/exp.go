package portable

import "math"

const (
	log2E = math.Log2E
	ln2Hi = 0x1.62e42fefa38p-1 // the first 41 bits of log 2: products with integers below 2¹² are exact
	ln2Lo = math.Ln2 - ln2Hi   // the rest of log 2

	// Adding and subtracting it rounds a number to an integer: float64s near 1.5·2⁵² are integers.
	roundingShift = 0x1.8p52

	expOverflow  = 710  // from here on, e^x is larger than any float64
	expUnderflow = -746 // below, e^x rounds to 0
)

// Exp returns e^x. It is +Inf from 709.79 on, denormal below −708.39 and 0 below −745.13.
func Exp(x float64) float64 {
	switch {
	case !(x < expOverflow): // also if x is NaN
		return x * math.Inf(1) // +Inf, or NaN for NaN
	case x < expUnderflow:
		return 0
	}
	p := reduce(x, 0)
	return scale(p.high+p.low, p.n)
}

// power is a positive number 2ⁿ·(high + low).
type power struct {
	high float64 // in [0.7, 1.5]
	low  float64 // correction of high, small beside it
	n    int
}

// reduce returns e^(x+d) for |x| < 750 and a correction d that is small beside 1.
//
// With n the integer nearest to x/log 2 and r = x + d − n·log 2, e^(x+d) is 2ⁿ·e^r, and e^r is computed
// by the Taylor series up to r¹³/13!. For |r| ≤ ½ log 2 the omitted terms are below 2⁻⁵⁷.
func reduce(x, d float64) power {
	n := float64(x*log2E) + roundingShift
	n -= roundingShift
	rHigh := x - float64(n*ln2Hi) // exact
	rLow := d - float64(n*ln2Lo)
	r := rHigh + rLow
	rError := (rHigh - r) + rLow                            // rounding error of r
	tail := float64(float64(r*r) * polynomial(r, expTerms)) // e^r − 1 − r
	errorEffect := mulAdd(rError, r, rError)                // e^(r+rError) − e^r ≈ rError·(1 + r)
	high := 1 + r
	highError := (1 - high) + r // rounding error of high
	return power{high: high, low: highError + (tail + errorEffect), n: int(n)}
}

// expTerms holds the coefficients 1/k! of the series of e^r, from k = 2 on.
var expTerms = []float64{1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040,
	1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800}

// scale returns y·2ⁿ. It multiplies by two powers of two, since 2ⁿ itself may be out of range, and
// rounds once even if the result is denormal.
func scale(y float64, n int) float64 {
	half := n >> 1 // n/2, rounded down
	return float64(y*twoTo(half)) * twoTo(n-half)
}

// twoTo returns 2ⁿ for −1022 ≤ n ≤ 1023. Its bits are the exponent n + 1023 and a mantissa of 0.
func twoTo(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// Expm1 returns e^x − 1 with full precision near 0, where subtracting 1 from Exp(x) would cancel most
// digits.
func Expm1(x float64) float64 {
	const (
		isMinusOne = -40     // below, e^x is less than the last digit of 1
		isLinear   = 0x1p-54 // below, x²/2 is less than the last digit of x
		maxWithOne = 60      // from 2⁶⁰ on, 1 is below the last digit of e^x
	)
	switch {
	case !(x < expOverflow): // also if x is NaN
		return x * math.Inf(1)
	case x < isMinusOne:
		return -1
	case math.Abs(x) < isLinear:
		return x
	}
	p := reduce(x, 0)
	if p.n == 0 {
		// high is 1 + r, rounded: subtracting 1 is exact.
		return (p.high - 1) + p.low
	}
	if p.n > maxWithOne {
		return scale(p.high+p.low, p.n)
	}
	factor := twoTo(p.n)
	return float64(factor*p.high) - 1 + float64(factor*p.low)
}
