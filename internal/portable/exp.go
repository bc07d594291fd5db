package portable

import "math"

const (
	log2E = math.Log2E
	ln2Hi = 0x1.62e42fefa38p-1 // log 2 to 41 bits: its product with an integer below 2¹² is exact
	ln2Lo = math.Ln2 - ln2Hi

	roundingShift = 0x1.8p52 // adding it rounds to an integer
)

// Exp is e^x: +Inf from 709.79 on, denormal below −708.39, 0 below −745.13.
func Exp(x float64) float64 {
	switch {
	case !(x < 710): // NaN too
		return x * math.Inf(1)
	case x < -746:
		return 0
	}
	p := reduce(x, 0)
	return scale(p.high+p.low, p.n)
}

// power is e^(x+d) as 2ⁿ·(high + low), with high in [0.7, 1.5] and low small
// beside it.
type power struct {
	high, low float64
	n         int
}

// reduce takes |x| < 750, and a d that is small beside 1.
//
// With n the integer nearest to (x+d)/log 2 and r = x + d − n·log 2, e^r is
// its Taylor series, up to r¹³/13!: the rest is below 2⁻⁵⁷ for |r| ≤ ½ log 2.
func reduce(x, d float64) power {
	k := float64(x*log2E) + roundingShift
	k -= roundingShift
	left := x - float64(k*ln2Hi) // exact
	right := d - float64(k*ln2Lo)
	r := left + right
	rest := (left - r) + right
	tail := float64(float64(r*r) * polynomial(r, expTerms))
	high := 1 + r
	return power{high: high, low: ((1 - high) + r) + (tail + mulAdd(rest, r, rest)), n: int(k)}
}

var expTerms = []float64{1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040,
	1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800}

// scale is y·2ⁿ, in two factors so that it is rounded once however small it is.
func scale(y float64, n int) float64 {
	half := n >> 1
	return float64(y*twoTo(half)) * twoTo(n-half)
}

// twoTo is 2ⁿ for −1022 ≤ n ≤ 1023.
func twoTo(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// Expm1 is e^x − 1, to the last places near 0 too.
func Expm1(x float64) float64 {
	switch {
	case !(x < 710):
		return x * math.Inf(1)
	case x < -40:
		return -1
	case math.Abs(x) < 0x1p-54:
		return x
	}
	p := reduce(x, 0)
	if p.n == 0 {
		// high is 1 + r rounded, low what that lost and the rest of the series.
		return (p.high - 1) + p.low
	}
	if p.n > 60 {
		return scale(p.high+p.low, p.n)
	}
	s := twoTo(p.n)
	return float64(s*p.high) - 1 + float64(s*p.low)
}
