package main

import (
	"math"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The functions of kernels/transcendental.go, operation by operation; see
// there for what the numbers are.
const (
	log2E        = 1.44269502
	ln2          = 0.693147182
	ln2Low       = -1.90465421e-9
	ln2Short     = 0.693359375
	ln2ShortRest = -0.000212194442
	magic        = 12582912
	sqrtHalf     = 0x3F3504F3
	leastNormal  = 1.17549435e-38
)

var (
	expSeries  = []float32{0.5, 0.166666672, 0.041666463, 0.00833331048, 0.00139338814, 0.000198912472}
	logSeries  = []float32{0.333333313, -0.24999997, 0.200007156, -0.166678026, 0.142490581, -0.124256872, 0.116854198, -0.114797339, 0.0697161183}
	tanhSeries = []float32{-0.333333343, 0.133333027, -0.0539592281, 0.0217686668, -0.00834311917, 0.0022918093}
)

// word is an integer constant.
func (m maths) word(n int32) Mem { return m.constant(uint32(n)) }

// power is 2^n.
func (m maths) power(n reg.Register) reg.Register {
	return m.shiftLeft(m.addi(n, m.word(127)), 23)
}

// clamp keeps NaN.
func (m maths) clamp(x reg.Register, low, high float32) reg.Register {
	x = m.min(m.load(m.float(high)), x)
	return m.max(m.load(m.float(low)), x)
}

type reduced struct{ n, k, r0, r, q, rSquare reg.Register }

func (m maths) reduce(x reg.Register) (y reduced) {
	t := m.fma(x, m.float(log2E), m.float(magic))
	y.n = m.subi(t, m.float(magic))
	y.k = m.sub(t, m.float(magic))
	y.r0 = m.fma(y.k, m.float(-ln2), x)
	y.r = m.fma(y.k, m.float(-ln2Low), y.r0)
	y.q = m.poly(y.r, expSeries...)
	y.rSquare = m.mul(y.r, y.r)
	return y
}

func (m maths) exp(x reg.Register) reg.Register {
	y := m.reduce(m.clamp(x, -104, 89))
	ones := m.load(m.float(1))
	high := m.add(ones, y.r0)
	low := m.add(m.sub(ones, high), y.r0)
	low = m.fma(y.k, m.float(-ln2Low), low)
	p := m.add(high, m.fma(y.q, y.rSquare, low))
	half := m.shiftRight(y.n, 1)
	return m.mul(m.mul(p, m.power(half)), m.power(m.subi(y.n, half)))
}

func (m maths) expm1(x reg.Register) reg.Register {
	y := m.reduce(m.clamp(x, -20, 89))
	p := m.fma(y.q, y.rSquare, y.r)
	least := m.mini(y.n, m.word(127))
	s := m.power(least)
	return m.mul(m.fma(s, p, m.sub(s, m.float(1))), m.power(m.subi(y.n, least)))
}

func (m maths) split(x reg.Register) (e, f reg.Register) {
	e = m.shiftRight(m.subi(x, m.word(sqrtHalf)), 23)
	return e, m.sub(m.subi(x, m.shiftLeft(e, 23)), m.float(1))
}

func (m maths) logOf(e, f reg.Register) reg.Register {
	q := m.poly(f, logSeries...)
	square := m.mul(f, f)
	y := m.fma(e, m.float(ln2ShortRest), m.mul(m.mul(square, f), q))
	y = m.fma(square, m.float(-0.5), y)
	return m.fma(e, m.float(ln2Short), m.add(f, y))
}

// logEdges gives y the values of a logarithm of which x is the argument and
// zero the place of its pole.
func (m maths) logEdges(y, x reg.Register, zero float32) reg.Register {
	y = m.pick(m.compare(less, x, m.float(float32(math.Inf(1)))), y, x)
	y = m.pick(m.compare(equal, x, m.float(zero)), m.float(float32(math.Inf(-1))), y)
	return m.pick(m.compare(less, x, m.float(zero)), m.constant(0x7FC00000), y)
}

func (m maths) log(x reg.Register) reg.Register {
	small := m.compare(less, x, m.float(leastNormal))
	scaled := m.pick(small, m.mul(x, m.float(1<<23)), x)
	e, f := m.split(scaled)
	shifted := m.add(m.toFloat(e), m.keep(small, m.float(-23)))
	return m.logEdges(m.logOf(shifted, f), x, 0)
}

func (m maths) log1pFinite(x reg.Register) reg.Register {
	ones := m.load(m.float(1))
	u := m.add(ones, x)
	v := m.sub(u, ones)
	d := m.add(m.sub(ones, m.sub(u, v)), m.sub(x, v))
	e, f := m.split(u)
	scale := m.subi(m.zero(), m.mini(e, m.word(126)))
	return m.logOf(m.toFloat(e), m.fma(d, m.power(scale), f))
}

func (m maths) log1p(x reg.Register) reg.Register {
	return m.logEdges(m.log1pFinite(x), x, -1)
}

func (m maths) softplus(x reg.Register) reg.Register {
	y := m.log1pFinite(m.exp(m.or(x, m.constant(signBit))))
	return m.add(m.keep(m.compare(greater, x, m.zero()), x), y)
}

func (m maths) tanh(x reg.Register) reg.Register {
	a := m.min(m.load(m.float(10)), m.abs(x))
	s := m.mul(a, a)
	small := m.fma(m.mul(s, a), m.poly(s, tanhSeries...), a)
	e := m.add(m.exp(m.add(a, a)), m.float(1))
	large := m.sub(m.load(m.float(1)), m.div(m.load(m.float(2)), e))
	y := m.pick(m.compare(less, a, m.float(0.625)), small, large)
	return m.or(y, m.and(x, m.constant(signBit)))
}

func (m maths) sigmoid(x reg.Register) reg.Register {
	ones := m.load(m.float(1))
	t := m.exp(m.or(x, m.constant(signBit)))
	d := m.add(ones, t)
	low := m.add(m.sub(ones, d), t)
	y := m.div(m.pick(m.compare(less, x, m.zero()), t, ones), d)
	return m.fma(m.xor(y, m.constant(signBit)), low, y)
}

func (m maths) logit(x reg.Register) reg.Register {
	ones := m.load(m.float(1))
	small := m.compare(less, x, m.float(leastNormal))
	scaled := m.pick(small, m.mul(x, m.float(1<<23)), x)
	d := m.sub(ones, x)
	low := m.sub(m.sub(ones, d), x)
	w := m.div(ones, d)
	q := m.mul(scaled, w)
	minus := m.xor(q, m.constant(signBit))
	lost := m.mul(m.fma(minus, low, m.fma(minus, d, scaled)), w)
	e, f := m.split(q)
	f = m.fma(lost, m.power(m.subi(m.zero(), e)), f)
	y := m.logOf(m.add(m.toFloat(e), m.keep(small, m.float(-23))), f)
	y = m.pick(m.compare(equal, x, m.float(1)), m.float(float32(math.Inf(1))), y)
	y = m.pick(m.compare(less, ones, x), m.constant(0x7FC00000), y)
	y = m.pick(m.compare(equal, x, m.float(0)), m.float(float32(math.Inf(-1))), y)
	return m.pick(m.compare(less, x, m.zero()), m.constant(0x7FC00000), y)
}
