package main

import (
	"math"
)

// This file has the functions of kernels/transcendental.go, operation by operation. The constants
// and coefficients have the same names and values as there.

const (
	log2E          = 1.44269502
	ln2            = 0.693147182
	ln2Low         = -1.90465421e-9
	ln2Short       = 0.693359375
	ln2ShortRest   = -0.000212194442
	roundToInteger = 12582912
	sqrtHalfBits   = 0x3F3504F3
	minNormal      = 1.17549435e-38

	nanBits = 0x7FC00000
)

var (
	expCoefficients32  = []float32{0.5, 0.166666672, 0.041666463, 0.00833331048, 0.00139338814, 0.000198912472}
	logCoefficients32  = []float32{0.333333313, -0.24999997, 0.200007156, -0.166678026, 0.142490581, -0.124256872, 0.116854198, -0.114797339, 0.0697161183}
	tanhCoefficients32 = []float32{-0.333333343, 0.133333027, -0.0539592281, 0.0217686668, -0.00834311917, 0.0022918093}
)

// integer returns a vector of copies of n.
func (m vectorMath) integer(n int32) vector { return m.constant(uint32(n)) }

// powerOf2 returns 2^n for integers −127 < n < 128: a float32 has the exponent n + 127 above 23 bits of
// mantissa.
func (m vectorMath) powerOf2(n vector) vector {
	return m.shiftLeft(m.addInt(n, m.integer(127)), 23)
}

// clamp returns x limited to low and high. NaN stays.
func (m vectorMath) clamp(x vector, low, high float32) vector {
	x = m.min(m.load(m.float(high)), x)
	return m.max(m.load(m.float(low)), x)
}

// expArgument has the fields of kernels.expArgument in registers.
type expArgument struct{ n, nFloat, rHigh, r, q, rSquare vector }

// reduceExpArgument splits x for exp and expm1.
func (m vectorMath) reduceExpArgument(x vector) (y expArgument) {
	t := m.fma(x, m.float(log2E), m.float(roundToInteger))
	y.n = m.subInt(t, m.float(roundToInteger))
	y.nFloat = m.sub(t, m.float(roundToInteger))
	y.rHigh = m.fma(y.nFloat, m.float(-ln2), x)
	y.r = m.fma(y.nFloat, m.float(-ln2Low), y.rHigh)
	y.q = m.polynomial(y.r, expCoefficients32...)
	y.rSquare = m.mul(y.r, y.r)
	return y
}

// exp returns e^x.
func (m vectorMath) exp(x vector) vector {
	y := m.reduceExpArgument(m.clamp(x, -104, 89))
	ones := m.load(m.float(1))
	high := m.add(ones, y.rHigh)
	low := m.add(m.sub(ones, high), y.rHigh)
	low = m.fma(y.nFloat, m.float(-ln2Low), low)
	p := m.add(high, m.fma(y.q, y.rSquare, low))
	half := m.shiftRight(y.n, 1)
	return m.mul(m.mul(p, m.powerOf2(half)), m.powerOf2(m.subInt(y.n, half)))
}

// expm1 returns e^x − 1.
func (m vectorMath) expm1(x vector) vector {
	y := m.reduceExpArgument(m.clamp(x, -20, 89))
	p := m.fma(y.q, y.rSquare, y.r)
	limited := m.minInt(y.n, m.integer(127))
	s := m.powerOf2(limited)
	return m.mul(m.fma(s, p, m.sub(s, m.float(1))), m.powerOf2(m.subInt(y.n, limited)))
}

// splitExponent returns e and f with x = 2^e·(1+f) and √½ ≤ 1+f < √2, for normal x > 0.
func (m vectorMath) splitExponent(x vector) (e, f vector) {
	e = m.shiftRight(m.subInt(x, m.integer(sqrtHalfBits)), 23)
	return e, m.sub(m.subInt(x, m.shiftLeft(e, 23)), m.float(1))
}

// logOfParts returns e·log 2 + log(1+f).
func (m vectorMath) logOfParts(e, f vector) vector {
	q := m.polynomial(f, logCoefficients32...)
	square := m.mul(f, f)
	y := m.fma(e, m.float(ln2ShortRest), m.mul(m.mul(square, f), q))
	y = m.fma(square, m.float(-0.5), y)
	return m.fma(e, m.float(ln2Short), m.add(f, y))
}

// setLogLimits returns the logarithm y with the right values at special arguments x: −Inf at the
// pole, NaN below it, and x for +Inf and NaN.
func (m vectorMath) setLogLimits(y, x vector, pole float32) vector {
	y = m.blend(m.compare(less, x, m.float(float32(math.Inf(1)))), y, x)
	y = m.blend(m.compare(equal, x, m.float(pole)), m.float(float32(math.Inf(-1))), y)
	return m.blend(m.compare(less, x, m.float(pole)), m.constant(nanBits), y)
}

// log returns the natural logarithm of x.
func (m vectorMath) log(x vector) vector {
	small := m.compare(less, x, m.float(minNormal))
	scaled := m.blend(small, m.mul(x, m.float(1<<23)), x)
	e, f := m.splitExponent(scaled)
	shifted := m.add(m.toFloat(e), m.zeroUnless(small, m.float(-23)))
	return m.setLogLimits(m.logOfParts(shifted, f), x, 0)
}

// log1pFinite returns log(1+x) for −1 < x < ∞.
func (m vectorMath) log1pFinite(x vector) vector {
	ones := m.load(m.float(1))
	u := m.add(ones, x)
	v := m.sub(u, ones)
	d := m.add(m.sub(ones, m.sub(u, v)), m.sub(x, v))
	e, f := m.splitExponent(u)
	scale := m.subInt(m.zero(), m.minInt(e, m.integer(126)))
	return m.logOfParts(m.toFloat(e), m.fma(d, m.powerOf2(scale), f))
}

// log1p returns log(1+x).
func (m vectorMath) log1p(x vector) vector {
	return m.setLogLimits(m.log1pFinite(x), x, -1)
}

// softplus returns log(1+e^x).
func (m vectorMath) softplus(x vector) vector {
	y := m.log1pFinite(m.exp(m.or(x, m.constant(signBit))))
	return m.add(m.zeroUnless(m.compare(greater, x, m.zero()), x), y)
}

// tanh returns the hyperbolic tangent of x.
func (m vectorMath) tanh(x vector) vector {
	a := m.min(m.load(m.float(10)), m.abs(x))
	s := m.mul(a, a)
	small := m.fma(m.mul(s, a), m.polynomial(s, tanhCoefficients32...), a)
	e := m.add(m.exp(m.add(a, a)), m.float(1))
	large := m.sub(m.load(m.float(1)), m.div(m.load(m.float(2)), e))
	y := m.blend(m.compare(less, a, m.float(0.625)), small, large)
	return m.or(y, m.and(x, m.constant(signBit)))
}

// sigmoid returns 1/(1+e^−x).
func (m vectorMath) sigmoid(x vector) vector {
	ones := m.load(m.float(1))
	t := m.exp(m.or(x, m.constant(signBit)))
	d := m.add(ones, t)
	low := m.add(m.sub(ones, d), t)
	y := m.div(m.blend(m.compare(less, x, m.zero()), t, ones), d)
	return m.fma(m.xor(y, m.constant(signBit)), low, y)
}

// logit returns log(x/(1−x)).
func (m vectorMath) logit(x vector) vector {
	ones := m.load(m.float(1))
	small := m.compare(less, x, m.float(minNormal))
	scaled := m.blend(small, m.mul(x, m.float(1<<23)), x)
	d := m.sub(ones, x)
	low := m.sub(m.sub(ones, d), x)
	w := m.div(ones, d)
	q := m.mul(scaled, w)
	minus := m.xor(q, m.constant(signBit))
	relativeError := m.mul(m.fma(minus, low, m.fma(minus, d, scaled)), w)
	e, f := m.splitExponent(q)
	f = m.fma(relativeError, m.powerOf2(m.subInt(m.zero(), e)), f)
	y := m.logOfParts(m.add(m.toFloat(e), m.zeroUnless(small, m.float(-23))), f)
	y = m.blend(m.compare(equal, x, m.float(1)), m.float(float32(math.Inf(1))), y)
	y = m.blend(m.compare(less, ones, x), m.constant(nanBits), y)
	y = m.blend(m.compare(equal, x, m.float(0)), m.float(float32(math.Inf(-1))), y)
	return m.blend(m.compare(less, x, m.zero()), m.constant(nanBits), y)
}
