package kernels

import "math"

// The functions below are polynomials of our own, so that all paths agree.
// Their coefficients interpolate at Chebyshev nodes. The largest errors met
// over a sweep of all magnitudes (TestTranscendentalError), in units in the
// last place: exp 0.8, expm1 1.5, log 0.9, log1p 1.4, softplus 1.8, tanh 1.4,
// sigmoid 2, logit 1.5.
const (
	log2E  float32 = 1.44269502
	ln2    float32 = 0.693147182    // log 2, rounded
	ln2Low float32 = -1.90465421e-9 // log 2 − ln2

	ln2Short     float32 = 0.693359375     // log 2 to 10 bits: n·ln2Short is exact
	ln2ShortRest float32 = -0.000212194442 // log 2 − ln2Short

	magic     float32 = 12582912 // 1.5·2²³: adding it rounds to an integer
	magicBits         = 0x4B400000
	sqrtHalf          = 0x3F3504F3 // bits of √½
)

// e^r = 1 + r + r²·(e0 + e1·r + …) for |r| ≤ ½ log 2.
const (
	e0 float32 = 0.5
	e1 float32 = 0.166666672
	e2 float32 = 0.041666463
	e3 float32 = 0.00833331048
	e4 float32 = 0.00139338814
	e5 float32 = 0.000198912472
)

// log(1+f) = f − f²/2 + f³·(l0 + l1·f + …) for √½ ≤ 1+f < √2.
const (
	l0 float32 = 0.333333313
	l1 float32 = -0.24999997
	l2 float32 = 0.200007156
	l3 float32 = -0.166678026
	l4 float32 = 0.142490581
	l5 float32 = -0.124256872
	l6 float32 = 0.116854198
	l7 float32 = -0.114797339
	l8 float32 = 0.0697161183
)

// tanh a = a + a³·(t0 + t1·a² + …) for |a| < 0.625.
const (
	t0 float32 = -0.333333343
	t1 float32 = 0.133333027
	t2 float32 = -0.0539592281
	t3 float32 = 0.0217686668
	t4 float32 = -0.00834311917
	t5 float32 = 0.0022918093
)

// power is 2^n for −127 < n < 128.
func power(n int32) float32 { return math.Float32frombits(uint32(n+127) << 23) }

// reduced is x as n·log 2 + r with |r| ≤ ½ log 2, and what e^r is made of.
type reduced struct {
	n       int32
	k       float32 // n
	r0      float32 // r without the low part of log 2, exact
	r       float32
	q       float32 // e^r = 1 + r + r²·q
	rSquare float32
}

func reduce(x float32) (y reduced) {
	t := fma(x, log2E, magic)
	y.n = int32(math.Float32bits(t) - magicBits)
	y.k = t - magic
	y.r0 = fma(y.k, -ln2, x)
	y.r = fma(y.k, -ln2Low, y.r0)
	q := fma(e5, y.r, e4)
	q = fma(q, y.r, e3)
	q = fma(q, y.r, e2)
	q = fma(q, y.r, e1)
	y.q = fma(q, y.r, e0)
	y.rSquare = float32(y.r * y.r)
	return y
}

// exp is e^x: +Inf from 88.73 on, denormal below −87.34, 0 below −103.98.
func exp(x float32) float32 {
	if x > 89 {
		x = 89
	}
	if x < -104 {
		x = -104
	}
	y := reduce(x)
	// 1 + r0 = high + low exactly; all that is small is added to low first.
	high := 1 + y.r0
	low := (1 - high) + y.r0
	low = fma(y.k, -ln2Low, low)
	p := high + fma(y.q, y.rSquare, low)
	half := y.n >> 1
	// Two factors, so that the product is rounded once, at the end, however
	// small or large it is.
	return float32(p*power(half)) * power(y.n-half)
}

// expm1 is e^x − 1, exact to the last places near 0 too.
func expm1(x float32) float32 {
	if x > 89 {
		x = 89
	}
	if x < -20 {
		x = -20
	}
	y := reduce(x)
	p := fma(y.q, y.rSquare, y.r)
	m := min(y.n, 127)
	s := power(m)
	return fma(s, p, s-1) * power(y.n-m)
}

// split returns e and f with x = 2^e·(1+f), √½ ≤ 1+f < √2, for normal x > 0.
func split(x float32) (e int32, f float32) {
	bits := math.Float32bits(x)
	e = int32(bits-sqrtHalf) >> 23
	return e, math.Float32frombits(bits-uint32(e)<<23) - 1
}

// logOf is e·log 2 + log(1+f).
func logOf(e, f float32) float32 {
	q := fma(l8, f, l7)
	q = fma(q, f, l6)
	q = fma(q, f, l5)
	q = fma(q, f, l4)
	q = fma(q, f, l3)
	q = fma(q, f, l2)
	q = fma(q, f, l1)
	q = fma(q, f, l0)
	square := float32(f * f)
	y := fma(e, ln2ShortRest, float32(float32(square*f)*q))
	y = fma(square, -0.5, y)
	return fma(e, ln2Short, f+y)
}

// log is the natural logarithm: −Inf at zeros, NaN below.
func log(x float32) float32 {
	switch {
	case x < 0:
		return float32(math.NaN())
	case x == 0:
		return float32(math.Inf(-1))
	case !(x < float32(math.Inf(1))):
		return x
	}
	scaled, shift := x, float32(0)
	if x < 1.17549435e-38 { // the least normal number
		scaled, shift = x*(1<<23), -23
	}
	e, f := split(scaled)
	return logOf(float32(e)+shift, f)
}

// log1p is log(1+x): −Inf at −1, NaN below.
func log1p(x float32) float32 {
	switch {
	case x < -1:
		return float32(math.NaN())
	case x == -1:
		return float32(math.Inf(-1))
	case !(x < float32(math.Inf(1))):
		return x
	}
	return log1pFinite(x)
}

// log1pFinite is log1p for −1 < x < ∞.
func log1pFinite(x float32) float32 {
	u := 1 + x
	// 1 + x = u + d exactly (Knuth's TwoSum).
	v := u - 1
	d := (1 - (u - v)) + (x - v)
	e, f := split(u)
	f = fma(d, power(-min(e, 126)), f)
	return logOf(float32(e), f)
}

// softplus is log(1+e^x), as max(x, 0) + log1p(e^−|x|).
func softplus(x float32) float32 {
	y := log1pFinite(exp(-abs(x)))
	if x > 0 {
		return x + y
	}
	return 0 + y
}

// tanh is odd in every bit: a polynomial below 0.625, 1 − 2/(e^2|x| + 1) above.
func tanh(x float32) float32 {
	a := abs(x)
	if a > 10 {
		a = 10
	}
	var y float32
	if a < 0.625 {
		s := float32(a * a)
		q := fma(t5, s, t4)
		q = fma(q, s, t3)
		q = fma(q, s, t2)
		q = fma(q, s, t1)
		q = fma(q, s, t0)
		y = fma(float32(s*a), q, a)
	} else {
		y = 1 - 2/(exp(a+a)+1)
	}
	return math.Float32frombits(math.Float32bits(y) | math.Float32bits(x)&(1<<31))
}

// sigmoid is 1/(1+e^−x), as e^x/(1+e^x) below 0, which keeps its tail.
func sigmoid(x float32) float32 {
	t := exp(-abs(x))
	d := 1 + t
	low := (1 - d) + t // 1 + t = d + low exactly
	y := 1 / d
	if x < 0 {
		y = t / d
	}
	return fma(-y, low, y) // y/(1+low), which matters where d is near 1
}

// logit is log(x/(1−x)): −Inf at 0, +Inf at 1, NaN outside.
func logit(x float32) float32 {
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case x == 1:
		return float32(math.Inf(1))
	case !(x > 0 && x < 1):
		return float32(math.NaN())
	}
	scaled, shift := x, float32(0)
	if x < 1.17549435e-38 { // the least normal number
		scaled, shift = x*(1<<23), -23
	}
	d := 1 - x
	low := (1 - d) - x // 1 − x = d + low exactly
	w := 1 / d
	q := float32(scaled * w)
	// What q lacks of scaled/(1−x), relative to it, is added where log q is small.
	lost := float32(fma(-q, low, fma(-q, d, scaled)) * w)
	e, f := split(q)
	f = fma(lost, power(-e), f)
	return logOf(float32(e)+shift, f)
}
