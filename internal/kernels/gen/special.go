package main

import (
	"math"

	"github.com/mmcloughlin/avo/reg"
)

// The functions of kernels/double.go, normal.go and gamma_step.go, operation by
// operation; see there for what the numbers are.
const (
	magic64     = 0x1.8p52
	least64     = 10.2
	rootHalf64  = 0x3FE6A09E667F3BCD
	one64       = 0x3FF0000000000000
	whole64     = 0x4330000000000000
	exponent64  = 52
	exponentOf1 = 1023
	rootPi      = 1.77245385090551602729816748334114518279754945612238712821380779
	stepShift   = 7.75
	manySteps   = 1 << 60
)

var (
	expTerms   = []float64{1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880}
	atanhTerms = []float64{1, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19}
	erfTerms   = []float64{2 / rootPi, -2 / rootPi / 3, 2 / rootPi / (2 * 5), -2 / rootPi / (6 * 7), 2 / rootPi / (24 * 9), -2 / rootPi / (120 * 11), 2 / rootPi / (720 * 13), -2 / rootPi / (5040 * 15)}
	farTerms   = []float64{1.074006907092181, -0.8833944533151095, 0.5902283574745933, -0.31046724531225167, 0.11952774086102096, -0.026827592376870196, -0.00121232027274701, 0.003036939492127792, -0.0005470899484746895, -0.00028641063967946225, 9.814454638318902e-05, 4.050201721146148e-05}

	logGammaStepTerms = eulerTerms(func(k float64) float64 { return -1 / k })
	digammaStepTerms  = eulerTerms(func(float64) float64 { return 2 })
)

func eulerTerms(factor func(k float64) float64) (terms []float64) {
	for i, e := range []float64{-1, 5, -61, 1385, -50521, 2702765, -199360981, 19391512145} {
		terms = append(terms, factor(float64(i+1))*e/math.Ldexp(1, 4*i+6))
	}
	return terms
}

func (d doubles) exp(x reg.Register) reg.Register {
	t := d.add(d.mul(x, d.float(math.Log2E)), d.float(magic64))
	r := d.sub(x, d.mul(d.sub(t, d.float(magic64)), d.float(math.Ln2)))
	return d.mul(d.horner(r, expTerms), d.shiftLeft(d.addi(t, d.bits(exponentOf1)), exponent64))
}

func (d doubles) log(x reg.Register) reg.Register {
	n := d.shiftRight(d.addi(x, d.bits(one64-rootHalf64)), exponent64)
	f := d.addi(d.subi(x, d.shiftLeft(n, exponent64)), d.bits(one64))
	e := d.sub(d.or(n, d.bits(whole64)), d.float(1<<52+exponentOf1))
	s := d.div(d.sub(f, d.float(1)), d.add(f, d.float(1)))
	y := d.mul(d.add(s, s), d.horner(d.mul(s, s), atanhTerms))
	y = d.add(d.mul(e, d.float(math.Ln2)), y)
	return d.pick(d.compare(equal, x, d.float(0)), d.float(math.Inf(-1)), y)
}

func (d doubles) magnitude(x reg.Register, most float64) reg.Register {
	return d.min(d.load(d.float(most)), d.and(x, d.bits(1<<63-1)))
}

func (d doubles) gaussian(x reg.Register) reg.Register {
	x = d.magnitude(x, least64)
	return d.exp(d.neg(d.mul(x, x)))
}

func (d doubles) normalPDF(x reg.Register) reg.Register {
	x = d.magnitude(x, 14.5)
	return d.mul(d.exp(d.mul(d.neg(d.mul(x, x)), d.float(0.5))), d.float(1/(rootPi*math.Sqrt2)))
}

func (d doubles) erfc(x reg.Register) reg.Register {
	w := d.div(d.load(d.float(1)), d.add(x, d.float(3)))
	far := d.horner(d.mul(d.sub(x, d.float(3)), w), farTerms)
	return d.mul(d.mul(d.exp(d.neg(d.mul(x, x))), far), w)
}

func (d doubles) erf(x reg.Register) reg.Register {
	a := d.magnitude(x, least64)
	y := d.sub(d.load(d.float(1)), d.erfc(a))
	near := d.mul(a, d.horner(d.mul(a, a), erfTerms))
	y = d.pick(d.compare(less, a, d.float(0.5)), near, y)
	return d.or(y, d.and(x, d.bits(1<<63)))
}

func (d doubles) normalCDF(x reg.Register) reg.Register {
	y := d.mul(d.erfc(d.magnitude(d.mul(x, d.float(1/math.Sqrt2)), least64)), d.float(0.5))
	return d.pick(d.compare(greater, x, d.float(0)), d.sub(d.load(d.float(1)), y), y)
}

// ends are x(x+7) and x(x+8).
func (d doubles) ends(x reg.Register) (t, v reg.Register) {
	return d.mul(x, d.add(x, d.float(7))), d.mul(x, d.add(x, d.float(8)))
}

// notBelow0 is y, but NaN where x is below 0.
func (d doubles) notBelow0(x, y reg.Register) reg.Register {
	return d.pick(d.compare(less, x, d.float(0)), d.float(math.NaN()), y)
}

func (d doubles) logGammaStep(x reg.Register) reg.Register {
	w := d.add(x, d.float(stepShift))
	t, v := d.ends(x)
	below := d.mul(d.mul(t, d.add(t, d.float(6))), d.mul(d.add(t, d.float(10)), d.add(t, d.float(12))))
	above := d.mul(d.mul(d.add(v, d.float(3.75)), d.add(v, d.float(9.75))), d.mul(d.add(v, d.float(13.75)), d.add(v, d.float(15.75))))
	r := d.div(below, above)
	q := d.pick(d.compare(less, x, d.float(manySteps)), d.mul(d.mul(w, r), r), w)
	u := d.div(d.load(d.float(1)), w)
	s := d.mul(u, u)
	y := d.add(d.mul(d.log(q), d.float(0.5)), d.mul(s, d.horner(s, logGammaStepTerms)))
	return d.notBelow0(x, d.pick(d.compare(less, x, d.float(math.Inf(1))), y, x))
}

func (d doubles) digammaStep(given reg.Register) reg.Register {
	x := d.and(given, d.bits(1<<63-1))
	u := d.div(d.load(d.float(1)), d.add(x, d.float(stepShift)))
	s := d.mul(u, u)
	y := d.mul(u, d.add(d.mul(s, d.horner(s, digammaStepTerms)), d.float(0.5)))
	t, v := d.ends(x)
	below := d.reciprocals(t, d.add(t, d.float(6)), d.add(t, d.float(10)), d.add(t, d.float(12)))
	above := d.reciprocals(d.add(v, d.float(3.75)), d.add(v, d.float(9.75)), d.add(v, d.float(13.75)), d.add(v, d.float(15.75)))
	twice := d.add(x, x)
	shift := d.sub(d.mul(d.add(twice, d.float(7)), below), d.mul(d.add(twice, d.float(8)), above))
	y = d.pick(d.compare(less, x, d.float(manySteps)), d.add(y, shift), y)
	return d.notBelow0(given, y)
}

// reciprocals is 1/a + 1/b + 1/c + 1/d.
func (d doubles) reciprocals(a, b, c, e reg.Register) reg.Register {
	ab, ce := d.mul(a, b), d.mul(c, e)
	return d.div(d.add(d.mul(d.add(a, b), ce), d.mul(d.add(c, e), ab)), d.mul(ab, ce))
}
