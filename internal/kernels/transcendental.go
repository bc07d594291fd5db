package kernels

import "math"

// The functions of this file are polynomials, so that all implementations agree. The polynomials
// interpolate the functions at Chebyshev nodes. The largest errors over a sweep of all magnitudes
// (TestTranscendentalError), in units in the last place: exp 0.8, expm1 1.5, log 0.9, log1p 1.4,
// softplus 1.8, tanh 1.4, sigmoid 2, logit 1.5. float32(x*y) rounds a product before it is added.

const (
	log2E  float32 = 1.44269502
	ln2    float32 = 0.693147182    // log 2, rounded
	ln2Low float32 = -1.90465421e-9 // log 2 − ln2

	ln2Short     float32 = 0.693359375     // log 2 in 10 bits: n·ln2Short is exact
	ln2ShortRest float32 = -0.000212194442 // log 2 − ln2Short

	roundToInteger     float32 = 12582912 // 1.5·2²³: adding it rounds to an integer
	roundToIntegerBits         = 0x4B400000
	sqrtHalfBits               = 0x3F3504F3 // bits of √½

	minNormal float32 = 1.17549435e-38 // smallest number that is not denormal
)

// Coefficients of e^r = 1 + r + r²·(expC0 + expC1·r + …) for |r| ≤ ½ log 2.
const (
	expC0 float32 = 0.5
	expC1 float32 = 0.166666672
	expC2 float32 = 0.041666463
	expC3 float32 = 0.00833331048
	expC4 float32 = 0.00139338814
	expC5 float32 = 0.000198912472
)

// Coefficients of log(1+f) = f − f²/2 + f³·(logC0 + logC1·f + …) for √½ ≤ 1+f < √2.
const (
	logC0 float32 = 0.333333313
	logC1 float32 = -0.24999997
	logC2 float32 = 0.200007156
	logC3 float32 = -0.166678026
	logC4 float32 = 0.142490581
	logC5 float32 = -0.124256872
	logC6 float32 = 0.116854198
	logC7 float32 = -0.114797339
	logC8 float32 = 0.0697161183
)

// tanhPolynomialLimit is the |a| below which tanh is a polynomial.
const tanhPolynomialLimit = 0.625

// Coefficients of tanh a = a + a³·(tanhC0 + tanhC1·a² + …) for |a| < tanhPolynomialLimit.
const (
	tanhC0 float32 = -0.333333343
	tanhC1 float32 = 0.133333027
	tanhC2 float32 = -0.0539592281
	tanhC3 float32 = 0.0217686668
	tanhC4 float32 = -0.00834311917
	tanhC5 float32 = 0.0022918093
)

// powerOf2 returns 2^n for −127 < n < 128.
func powerOf2(n int32) float32 { return math.Float32frombits(uint32(n+127) << 23) }

// expArgument is x = n·log 2 + r with |r| ≤ ½ log 2, so that e^x = 2^n·e^r, and the terms of
// e^r = 1 + r + q·r².
type expArgument struct {
	n       int32
	nFloat  float32 // n
	rHigh   float32 // x − n·ln2, exact
	r       float32 // rHigh − n·ln2Low
	q       float32
	rSquare float32
}

// reduceExpArgument splits x for exp and expm1. |x| must be so small that n is exact.
func reduceExpArgument(x float32) (y expArgument) {
	shifted := fma(x, log2E, roundToInteger) // its lowest bits are the integer n
	y.n = int32(math.Float32bits(shifted) - roundToIntegerBits)
	y.nFloat = shifted - roundToInteger
	y.rHigh = fma(y.nFloat, -ln2, x)
	y.r = fma(y.nFloat, -ln2Low, y.rHigh)
	q := fma(expC5, y.r, expC4)
	q = fma(q, y.r, expC3)
	q = fma(q, y.r, expC2)
	q = fma(q, y.r, expC1)
	y.q = fma(q, y.r, expC0)
	y.rSquare = float32(y.r * y.r)
	return y
}

// exp returns e^x: +Inf from 88.73 on, denormal below −87.34, 0 below −103.98.
func exp(x float32) float32 {
	const overflow, underflow = 89, -104 // beyond them, the result is the same: +Inf or 0
	if x > overflow {
		x = overflow
	}
	if x < underflow {
		x = underflow
	}
	y := reduceExpArgument(x)
	// 1 + rHigh = high + low exactly. Small terms are added to low first.
	high := 1 + y.rHigh
	low := (1 - high) + y.rHigh
	low = fma(y.nFloat, -ln2Low, low)
	p := high + fma(y.q, y.rSquare, low)
	// 2^n is two factors: n may be too large for one, and only the last product may round.
	half := y.n >> 1
	return float32(p*powerOf2(half)) * powerOf2(y.n-half)
}

// expm1 returns e^x − 1, without a loss of digits near 0: with p = e^r − 1, it is 2^n·p + (2^n − 1).
func expm1(x float32) float32 {
	const overflow, isMinusOne = 89, -20 // beyond them, the result is the same: +Inf or −1
	if x > overflow {
		x = overflow
	}
	if x < isMinusOne {
		x = isMinusOne
	}
	y := reduceExpArgument(x)
	p := fma(y.q, y.rSquare, y.r)
	limited := min(y.n, 127) // 2^128 is no float32: the last factor below is then 2
	scale := powerOf2(limited)
	return fma(scale, p, scale-1) * powerOf2(y.n-limited)
}

// splitExponent returns e and f with x = 2^e·(1+f) and √½ ≤ 1+f < √2, for normal x > 0.
func splitExponent(x float32) (e int32, f float32) {
	const mantissaBits = 23 // position of the exponent
	bits := math.Float32bits(x)
	e = int32(bits-sqrtHalfBits) >> mantissaBits
	return e, math.Float32frombits(bits-uint32(e)<<mantissaBits) - 1
}

// logOfParts returns log(2^e·(1+f)) = e·log 2 + log(1+f) for √½ ≤ 1+f < √2.
func logOfParts(e, f float32) float32 {
	q := fma(logC8, f, logC7)
	q = fma(q, f, logC6)
	q = fma(q, f, logC5)
	q = fma(q, f, logC4)
	q = fma(q, f, logC3)
	q = fma(q, f, logC2)
	q = fma(q, f, logC1)
	q = fma(q, f, logC0)
	square := float32(f * f)
	y := fma(e, ln2ShortRest, float32(float32(square*f)*q))
	y = fma(square, -0.5, y)
	return fma(e, ln2Short, f+y)
}

// log returns the natural logarithm of x: −Inf at 0 and −0, NaN below.
func log(x float32) float32 {
	switch {
	case x < 0:
		return float32(math.NaN())
	case x == 0:
		return float32(math.Inf(-1))
	case !(x < float32(math.Inf(1))): // +Inf or NaN
		return x
	}
	scaled, scaleExponent := scaleDenormal(x)
	e, f := splitExponent(scaled)
	return logOfParts(float32(e)+scaleExponent, f)
}

// scaleDenormal returns scaled and e with x = scaled·2^e for x > 0, where scaled is normal.
func scaleDenormal(x float32) (scaled, e float32) {
	if x < minNormal {
		return x * (1 << 23), -23
	}
	return x, 0
}

// log1p returns log(1+x): −Inf at −1, NaN below.
func log1p(x float32) float32 {
	switch {
	case x < -1:
		return float32(math.NaN())
	case x == -1:
		return float32(math.Inf(-1))
	case !(x < float32(math.Inf(1))): // +Inf or NaN
		return x
	}
	return log1pFinite(x)
}

// log1pFinite returns log(1+x) for −1 < x < ∞.
func log1pFinite(x float32) float32 {
	// 1 + x = sum + sumError exactly (Knuth's TwoSum algorithm).
	sum := 1 + x
	roundedX := sum - 1
	sumError := (1 - (sum - roundedX)) + (x - roundedX)
	e, f := splitExponent(sum)
	// 1 + x is 2^e·(1 + f + sumError/2^e). From e = 126 on, the last term is negligible in any scale.
	f = fma(sumError, powerOf2(-min(e, 126)), f)
	return logOfParts(float32(e), f)
}

// softplus returns log(1+e^x), as max(x, 0) + log1p(e^−|x|), which does not overflow.
func softplus(x float32) float32 {
	y := log1pFinite(exp(-abs(x)))
	if x > 0 {
		return x + y
	}
	return 0 + y // as the vector code, which adds max(x, 0) in all lanes
}

// tanh returns the hyperbolic tangent: a polynomial where |x| is small, or else
// 1 − 2/(e^2|x| + 1). tanh −x is exactly −tanh x.
func tanh(x float32) float32 {
	const isOne = 10 // from here on, the result is 1
	a := abs(x)
	if a > isOne {
		a = isOne
	}
	var y float32
	if a < tanhPolynomialLimit {
		square := float32(a * a)
		q := fma(tanhC5, square, tanhC4)
		q = fma(q, square, tanhC3)
		q = fma(q, square, tanhC2)
		q = fma(q, square, tanhC1)
		q = fma(q, square, tanhC0)
		y = fma(float32(square*a), q, a)
	} else {
		y = 1 - 2/(exp(a+a)+1)
	}
	sign := math.Float32bits(x) & (1 << 31)
	return math.Float32frombits(math.Float32bits(y) | sign)
}

// sigmoid returns 1/(1+e^−x). Below 0 it computes e^x/(1+e^x), which keeps the digits of small
// results.
func sigmoid(x float32) float32 {
	t := exp(-abs(x))
	divisor := 1 + t
	divisorError := (1 - divisor) + t // 1 + t = divisor + divisorError exactly
	y := 1 / divisor
	if x < 0 {
		y = t / divisor
	}
	return fma(-y, divisorError, y) // about y·(1 − divisorError): corrects the rounding of the divisor
}

// logit returns log(x/(1−x)): −Inf at 0, +Inf at 1, NaN below 0 and above 1.
func logit(x float32) float32 {
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case x == 1:
		return float32(math.Inf(1))
	case !(x > 0 && x < 1):
		return float32(math.NaN())
	}
	scaled, scaleExponent := scaleDenormal(x)
	complement := 1 - x
	complementError := (1 - complement) - x // 1 − x = complement + complementError exactly
	inverse := 1 / complement
	odds := float32(scaled * inverse)
	// oddsError is the difference of scaled/(1−x) and odds. It matters where log odds is small.
	oddsError := float32(fma(-odds, complementError, fma(-odds, complement, scaled)) * inverse)
	e, f := splitExponent(odds)
	f = fma(oddsError, powerOf2(-e), f)
	return logOfParts(float32(e)+scaleExponent, f)
}
