package portable

import "math"

// Pow returns x^y. It is NaN for negative x unless y is an integer, and 1 if y is 0 or x is 1, even if
// the other is NaN. For zeros and infinities it follows IEEE 754.
func Pow(x, y float64) float64 {
	whole := y == math.Trunc(y) // infinities count as even
	odd := whole && math.Abs(y) < 1<<53 && int64(y)&1 == 1
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case x < 0 && !whole && !math.IsInf(x, -1):
		return math.NaN()
	}
	size := math.Abs(x)
	var result float64
	switch {
	case size == 1:
		result = 1
	case size == 0 || size > math.MaxFloat64 || math.IsInf(y, 0):
		if (size > 1) == (y > 0) {
			result = math.Inf(1)
		}
	default:
		result = powFinite(size, y)
	}
	if odd {
		return math.Copysign(result, x)
	}
	return result
}

// powFinite returns x^y for a finite x > 0 and a finite y, as e^(y·log x).
func powFinite(x, y float64) float64 {
	const outOfRange = 747 // from here on, Exp is 0 or +Inf
	high, low := logPair(x)
	exponent := float64(y * high)
	if !(math.Abs(exponent) < outOfRange) {
		return Exp(exponent)
	}
	first, rest := product(y, high)
	p := reduce(first, rest+float64(y*low))
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
	)
	n, f := split(x)
	e := float64(n)

	d := 2 + f
	s := f / d
	p, rest := product(s, d)
	sLow := (((f - p) - rest) - float64(s*(f-(d-2)))) / d

	z, zLow := product(s, s)
	zLow += float64(2 * float64(s*sLow))
	t := 1.0 / 25
	for i := 23; i >= 5; i -= 2 {
		t = mulAdd(z, t, 1/float64(i))
	}
	t = float64(float64(z*z) * t)
	p, rest = product(z, third)
	rest += float64(z*thirdLow) + float64(zLow*third)
	v := p + t
	vLow := ((p - v) + t) + rest

	s, sLow = s+s, sLow+sLow
	p, rest = product(s, v)
	rest += float64(s*vLow) + float64(sLow*v)
	log := s + p
	logLow := ((s - log) + p) + (rest + sLow)

	big := float64(e * ln2Hi) // exact
	high = big + log
	low = ((big - high) + log) + (logLow + float64(e*ln2Lo))
	return high, low
}

// Power returns xⁿ for n ≥ 0, by repeated squaring.
func Power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y = float64(y * x)
		}
		x = float64(x * x)
	}
	return y
}
