package main

import (
	"math"
)

// This file has the functions of kernels/double.go, normal.go and gamma_step.go, operation by
// operation. The constants and coefficients have the same names and values as there.

const (
	roundToInteger64 = 0x1.8p52
	maxErfArgument   = 10.2
	sqrtHalfBits64   = 0x3FE6A09E667F3BCD
	oneBits64        = 0x3FF0000000000000
	twoTo52Bits64    = 0x4330000000000000
	mantissaBits64   = 52
	exponentBias64   = 1023
	sqrtPi           = 1.77245385090551602729816748334114518279754945612238712821380779
	gammaSeriesShift = 7.75
	maxGammaShift    = 1 << 60
)

var (
	expCoefficients   = []float64{1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880}
	atanhCoefficients = []float64{1, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19}
	erfCoefficients   = []float64{2 / sqrtPi, -2 / sqrtPi / 3, 2 / sqrtPi / (2 * 5), -2 / sqrtPi / (6 * 7), 2 / sqrtPi / (24 * 9), -2 / sqrtPi / (120 * 11), 2 / sqrtPi / (720 * 13), -2 / sqrtPi / (5040 * 15)}
	erfcCoefficients  = []float64{1.074006907092181, -0.8833944533151095, 0.5902283574745933, -0.31046724531225167, 0.11952774086102096, -0.026827592376870196, -0.00121232027274701, 0.003036939492127792, -0.0005470899484746895, -0.00028641063967946225, 9.814454638318902e-05, 4.050201721146148e-05}

	logGammaStepCoefficients = eulerCoefficients(func(k float64) float64 { return -1 / k })
	digammaStepCoefficients  = eulerCoefficients(func(float64) float64 { return 2 })
)

// eulerCoefficients returns factor(k)·E₂ₖ/4^(2k+1) with Euler's numbers E₂ₖ, for k = 1, 2, …, 8.
func eulerCoefficients(factor func(k float64) float64) (terms []float64) {
	for i, e := range []float64{-1, 5, -61, 1385, -50521, 2702765, -199360981, 19391512145} {
		terms = append(terms, factor(float64(i+1))*e/math.Ldexp(1, 4*i+6))
	}
	return terms
}

// exp returns e^x, as kernels.exp64.
func (d doubleMath) exp(x vector) vector {
	shifted := d.add(d.mul(x, d.float(math.Log2E)), d.float(roundToInteger64)) // its lowest bits are the integer n
	r := d.sub(x, d.mul(d.sub(shifted, d.float(roundToInteger64)), d.float(math.Ln2)))
	return d.mul(d.horner(r, expCoefficients), d.shiftLeft(d.addInt(shifted, d.bits(exponentBias64)), mantissaBits64))
}

// log returns the natural logarithm of x for x = 0 and normal x > 0, as kernels.log64.
func (d doubleMath) log(x vector) vector {
	n := d.shiftRight(d.addInt(x, d.bits(oneBits64-sqrtHalfBits64)), mantissaBits64)
	f := d.addInt(d.subInt(x, d.shiftLeft(n, mantissaBits64)), d.bits(oneBits64))
	e := d.sub(d.or(n, d.bits(twoTo52Bits64)), d.float(1<<52+exponentBias64))
	s := d.div(d.sub(f, d.float(1)), d.add(f, d.float(1)))
	y := d.mul(d.add(s, s), d.horner(d.mul(s, s), atanhCoefficients))
	y = d.add(d.mul(e, d.float(math.Ln2)), y)
	return d.blend(d.compare(equal, x, d.float(0)), d.float(math.Inf(-1)), y)
}

// clampedAbs returns the smaller of |x| and maximum.
func (d doubleMath) clampedAbs(x vector, maximum float64) vector {
	return d.min(d.load(d.float(maximum)), d.and(x, d.bits(1<<63-1)))
}

// gaussian returns e^(−x²).
func (d doubleMath) gaussian(x vector) vector {
	x = d.clampedAbs(x, maxErfArgument)
	return d.exp(d.neg(d.mul(x, x)))
}

// normalPDF returns the density of N(0, 1) at x.
func (d doubleMath) normalPDF(x vector) vector {
	x = d.clampedAbs(x, 14.5)
	return d.mul(d.exp(d.mul(d.neg(d.mul(x, x)), d.float(0.5))), d.float(1/(sqrtPi*math.Sqrt2)))
}

// erfc returns the complementary error function of 0 ≤ x ≤ maxErfArgument.
func (d doubleMath) erfc(x vector) vector {
	w := d.div(d.load(d.float(1)), d.add(x, d.float(3)))
	far := d.horner(d.mul(d.sub(x, d.float(3)), w), erfcCoefficients)
	return d.mul(d.mul(d.exp(d.neg(d.mul(x, x))), far), w)
}

// erf returns the error function of x.
func (d doubleMath) erf(x vector) vector {
	a := d.clampedAbs(x, maxErfArgument)
	y := d.sub(d.load(d.float(1)), d.erfc(a))
	near := d.mul(a, d.horner(d.mul(a, a), erfCoefficients))
	y = d.blend(d.compare(less, a, d.float(0.5)), near, y)
	return d.or(y, d.and(x, d.bits(1<<63)))
}

// normalCDF returns the distribution function of N(0, 1) at x.
func (d doubleMath) normalCDF(x vector) vector {
	y := d.mul(d.erfc(d.clampedAbs(d.mul(x, d.float(1/math.Sqrt2)), maxErfArgument)), d.float(0.5))
	return d.blend(d.compare(greater, x, d.float(0)), d.sub(d.load(d.float(1)), y), y)
}

// pairProducts returns x(x+7) and x(x+8), in which the products of kernels.logGammaStep64 are
// written.
func (d doubleMath) pairProducts(x vector) (t, v vector) {
	return d.mul(x, d.add(x, d.float(7))), d.mul(x, d.add(x, d.float(8)))
}

// nanBelow0 returns y, or NaN where x < 0.
func (d doubleMath) nanBelow0(x, y vector) vector {
	return d.blend(d.compare(less, x, d.float(0)), d.float(math.NaN()), y)
}

// logGammaStep returns log Γ(x+½) − log Γ(x), as kernels.logGammaStep64, which explains the steps.
func (d doubleMath) logGammaStep(x vector) vector {
	w := d.add(x, d.float(gammaSeriesShift))
	t, v := d.pairProducts(x)
	numerator := d.mul(d.mul(t, d.add(t, d.float(6))), d.mul(d.add(t, d.float(10)), d.add(t, d.float(12))))
	denominator := d.mul(d.mul(d.add(v, d.float(3.75)), d.add(v, d.float(9.75))), d.mul(d.add(v, d.float(13.75)), d.add(v, d.float(15.75))))
	ratio := d.div(numerator, denominator)
	q := d.blend(d.compare(less, x, d.float(maxGammaShift)), d.mul(d.mul(w, ratio), ratio), w)
	u := d.div(d.load(d.float(1)), w)
	s := d.mul(u, u)
	y := d.add(d.mul(d.log(q), d.float(0.5)), d.mul(s, d.horner(s, logGammaStepCoefficients)))
	return d.nanBelow0(x, d.blend(d.compare(less, x, d.float(math.Inf(1))), y, x))
}

// digammaStep returns the derivative of logGammaStep, as kernels.digammaStep64.
func (d doubleMath) digammaStep(argument vector) vector {
	x := d.and(argument, d.bits(1<<63-1)) // −0 becomes 0
	u := d.div(d.load(d.float(1)), d.add(x, d.float(gammaSeriesShift)))
	s := d.mul(u, u)
	y := d.mul(u, d.add(d.mul(s, d.horner(s, digammaStepCoefficients)), d.float(0.5)))
	t, v := d.pairProducts(x)
	numerator := d.sumReciprocals(t, d.add(t, d.float(6)), d.add(t, d.float(10)), d.add(t, d.float(12)))
	denominator := d.sumReciprocals(d.add(v, d.float(3.75)), d.add(v, d.float(9.75)), d.add(v, d.float(13.75)), d.add(v, d.float(15.75)))
	twice := d.add(x, x)
	shift := d.sub(d.mul(d.add(twice, d.float(7)), numerator), d.mul(d.add(twice, d.float(8)), denominator))
	y = d.blend(d.compare(less, x, d.float(maxGammaShift)), d.add(y, shift), y)
	return d.nanBelow0(argument, y)
}

// sumReciprocals returns 1/a + 1/b + 1/c + 1/e with one division.
func (d doubleMath) sumReciprocals(a, b, c, e vector) vector {
	ab, ce := d.mul(a, b), d.mul(c, e)
	return d.div(d.add(d.mul(d.add(a, b), ce), d.mul(d.add(c, e), ab)), d.mul(ab, ce))
}
