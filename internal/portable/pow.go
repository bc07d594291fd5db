package portable

import "math"

// Pow returns x^y. It is NaN for negative x unless y is an integer, and 1 if y is 0 or x is 1, even if
// the other is NaN. For zeros and infinities it follows IEEE 754.
func Pow(x, y float64) float64 {
	isInteger := y == math.Trunc(y)                              // also for infinities
	isOdd := isInteger && math.Abs(y) < 1<<53 && int64(y)&1 == 1 // numbers from 2⁵³ on are even
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case x < 0 && !isInteger && !math.IsInf(x, -1): // IEEE 754 takes −Inf for +Inf here
		return math.NaN()
	}
	result := powSize(math.Abs(x), y)
	if isOdd {
		return math.Copysign(result, x)
	}
	return result
}

// powSize returns x^y for x ≥ 0, including +Inf, and y other than 0 and NaN.
func powSize(x, y float64) float64 {
	isLimit := x == 0 || math.IsInf(x, 1) || math.IsInf(y, 0)
	switch {
	case x == 1:
		return 1
	case isLimit && (x > 1) == (y > 0): // a positive power of x > 1, or a negative one of x < 1
		return math.Inf(1)
	case isLimit:
		return 0
	}
	return powFinite(x, y)
}

// powFinite returns x^y for a finite x > 0 and a finite y, as e^(y·log x).
func powFinite(x, y float64) float64 {
	const outOfRange = 747 // from here on, Exp is 0 or +Inf
	logX, logXLow := logPair(x)
	exponent := float64(y * logX)
	if !(math.Abs(exponent) < outOfRange) {
		return Exp(exponent)
	}
	exponent, exponentLow := product(y, logX)
	p := reduce(exponent, exponentLow+float64(y*logXLow))
	return scale(p.high+p.low, p.n)
}

// logPair returns log x for a finite x > 0 as the sum of high and a small correction low, with a
// relative error of about 2⁻⁶⁴. All variables whose names end in Low are the corrections of the
// variable before.
//
// With x = 2^e·(1+f) and s = f/(2+f), log(1+f) is 2·artanh s = 2s·(1 + v), where v = s²/3 + s⁴/5 + ….
// The series ends with s²⁴.
func logPair(x float64) (high, low float64) {
	const (
		third    = 0x1.5555555555555p-2
		thirdLow = 1.0/3 - third
		lastTerm = 25 // divisor of s²⁴
	)
	n, f := split(x)
	e := float64(n)

	// s = f/(2+f). Its correction is what f lacks of s·(2+f), divided by 2+f.
	divisor := 2 + f
	divisorLow := f - (divisor - 2)
	s := f / divisor
	back, backLow := product(s, divisor)
	sLow := (((f - back) - backLow) - float64(s*divisorLow)) / divisor

	// v = s²/3 + tail, where tail = s⁴/5 + s⁶/7 + … needs no correction.
	square, squareLow := product(s, s)
	squareLow += float64(2 * float64(s*sLow))
	tail := 1.0 / lastTerm
	for i := lastTerm - 2; i >= 5; i -= 2 {
		tail = mulAdd(square, tail, 1/float64(i))
	}
	tail = float64(float64(square*square) * tail)
	leading, leadingLow := product(square, third)
	leadingLow += float64(square*thirdLow) + float64(squareLow*third)
	v := leading + tail
	vLow := ((leading - v) + tail) + leadingLow

	// log(1+f) = 2s + 2s·v.
	twoS := s + s
	twoSLow := sLow + sLow
	bend, bendLow := product(twoS, v)
	bendLow += float64(twoS*vLow) + float64(twoSLow*v)
	log := twoS + bend
	logLow := ((twoS - log) + bend) + (bendLow + twoSLow)

	// log x = e·log 2 + log(1+f).
	powerLog := float64(e * ln2Hi) // exact
	high = powerLog + log
	low = ((powerLog - high) + log) + (logLow + float64(e*ln2Lo))
	return high, low
}

// Power returns xⁿ for n ≥ 0, by repeated squaring: it multiplies the powers x, x², x⁴, … whose bits
// are set in n.
func Power(x float64, n int) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = float64(result * x)
		}
		x = float64(x * x)
	}
	return result
}
