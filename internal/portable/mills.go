package portable

import "math"

// LogNormalCDF returns log Φ(x), where Φ is the distribution function of N(0, 1), with full precision
// in both tails.
func LogNormalCDF(x float64) float64 {
	switch {
	case x > 0: // Φ is near 1
		return Log1p(-upperTail(x))
	case x > -1:
		return Log(0.5 * Erfc(-x/math.Sqrt2))
	}
	// Φ(x) is ½·erfcx(−x/√2)·e^(−x²/2). The logarithm of the last factor cannot underflow.
	return Log(0.5*Erfcx(-x/math.Sqrt2)) - float64(x/2*x)
}

// upperTail returns 1 − Φ(x) for x > 0. Unlike NormalCDF, it does not amplify the error of rounding
// x/√2: Erfcx changes little with its argument, and e^(−x²/2) is computed from x itself.
func upperTail(x float64) float64 {
	return float64(0.5 * float64(Erfcx(x/math.Sqrt2)*expMinusHalfSquare(x)))
}

// InverseMills returns φ(x)/Φ(x), the inverse Mills ratio, where φ is the density of N(0, 1). It is
// the derivative of LogNormalCDF: about −x in the lower tail, and 0 in the upper tail.
func InverseMills(x float64) float64 {
	const rootTwoByPi = 0.79788456080286535587989211986876373695172 // √(2/π); φ(x) is half of it times e^(−x²/2)
	if x > 0 {
		return float64(rootTwoByPi/2*expMinusHalfSquare(x)) / (1 - upperTail(x))
	}
	return rootTwoByPi / Erfcx(-x/math.Sqrt2) // e^(−x²/2) cancels, so that nothing underflows
}

// MillsExcess returns x + InverseMills(x) with full precision in the lower tail, where it is about
// −1/x, and adding would cancel all digits. The derivative of InverseMills is
// −InverseMills·MillsExcess.
func MillsExcess(x float64) float64 {
	const (
		cancels = -2.5 // from here up, the sum cancels at most three or four bits
		terms   = 100  // terms of the continued fraction, enough from −2.5 down
	)
	if x != x || x > cancels {
		return x + InverseMills(x)
	}
	// The continued fraction of φ/Φ at −t is t + 1/(t + 2/(t + 3/(t + …))), Abramowitz and Stegun
	// 26.2.14. Without its first t it is the result; it is computed from the last term to the first.
	t := -x
	fraction := t
	for n := float64(terms); n > 1; n-- {
		fraction = t + n/fraction
	}
	return 1 / fraction
}
