package portable

import "math"

// LogNormalCDF is log Φ(x), to the last places in both tails.
func LogNormalCDF(x float64) float64 {
	switch {
	case x > 0:
		return Log1p(-upperTail(x))
	case x > -1:
		return Log(0.5 * Erfc(-x/math.Sqrt2))
	}
	return Log(0.5*Erfcx(-x/math.Sqrt2)) - float64(x/2*x)
}

// upperTail is 1 − Φ(x) for x > 0. What rounding x/√2 does to Erfcx is
// little; NormalCDF has it in e^(−x²/2).
func upperTail(x float64) float64 {
	return float64(0.5 * float64(Erfcx(x/math.Sqrt2)*expMinusHalfSquare(x)))
}

// InverseMills is φ(x)/Φ(x), the derivative of LogNormalCDF: near −x in the lower
// tail, 0 in the upper one.
func InverseMills(x float64) float64 {
	const rootTwoByPi = 0.79788456080286535587989211986876373695172
	if x > 0 {
		return float64(rootTwoByPi/2*expMinusHalfSquare(x)) / (1 - upperTail(x))
	}
	return rootTwoByPi / Erfcx(-x/math.Sqrt2)
}

// MillsExcess is x + InverseMills(x), which is near −1/x in the lower tail, without
// cancellation. The derivative of InverseMills is −InverseMills·MillsExcess.
func MillsExcess(x float64) float64 {
	if x != x || x > -2.5 {
		return x + InverseMills(x)
	}
	// The continued fraction of φ/Φ at −t is t + 1/(t + 2/(t + 3/(t + …))),
	// Abramowitz and Stegun 26.2.14; from t = 2.5 on 100 terms are enough.
	t := -x
	y := t
	for n := 100.0; n > 1; n-- {
		y = t + n/y
	}
	return 1 / y
}
