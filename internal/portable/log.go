package portable

import "math"

const (
	leastNormal  = 0x1p-1022
	sqrtHalfBits = 0x3FE6A09E667F3BCD // of √½
)

// Log is the natural logarithm: −Inf at zeros, NaN below.
func Log(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case !(x < math.Inf(1)):
		return x
	}
	e, f := split(x)
	return logOf(float64(e), f, 0)
}

// Log1p is log(1+x), to the last places near 0 too: −Inf at −1, NaN below.
func Log1p(x float64) float64 {
	switch {
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case !(x < math.Inf(1)), math.Abs(x) < 0x1p-54:
		return x
	}
	u := 1 + x
	// 1 + x = u + d exactly (Knuth's TwoSum).
	v := u - 1
	d := (1 - (u - v)) + (x - v)
	e, f := split(u)
	if e == 0 {
		return logOf(0, x, 0)
	}
	return logOf(float64(e), f, d/u)
}

// split returns e and f with x = 2^e·(1+f), √½ ≤ 1+f < √2, for finite x > 0.
func split(x float64) (e int, f float64) {
	if x < leastNormal {
		x, e = x*0x1p54, -54
	}
	bits := math.Float64bits(x)
	n := int64(bits-sqrtHalfBits) >> 52
	return e + int(n), math.Float64frombits(bits-uint64(n)<<52) - 1
}

// logOf is e·log 2 + log(1+f) + d, for a d that is small beside the rest.
//
// With s = f/(2+f), log(1+f) is 2·artanh s = 2s + s·t, where t = ⅔s² + ⅖s⁴ + …
// is cut off after s²⁰: the rest is below 2⁻⁵⁹. As 2s = f − s·f and
// s·f = ½f² − s·½f², that is f − (½f² − s·(½f² + t)), whose f is exact.
func logOf(e, f, d float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	t := float64(z * polynomial(z, logTerms))
	half := float64(0.5 * float64(f*f))
	low := float64(s*(half+t)) + (float64(e*ln2Lo) + d)
	return float64(e*ln2Hi) - ((half - low) - f)
}

var logTerms = []float64{2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21}

// Log2 is the logarithm to base 2, exact for powers of two.
func Log2(x float64) float64 {
	if !(x > 0 && x < math.Inf(1)) {
		return Log(x)
	}
	e, f := split(x)
	return float64(e) + float64(logOf(0, f, 0)*log2E)
}
