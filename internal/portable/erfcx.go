package portable

import "math"

// Erfcx returns the scaled complementary error function e^(x²)·erfc x. For large x, where erfc x is
// 0, it is about 1/(x·√π); below −26.63 it is +Inf.
func Erfcx(x float64) float64 {
	switch {
	case x != x: // NaN
		return x
	case x < 0: // erfc(x) = 2 − erfc(−x)
		return float64(2*expSquare(-x)) - Erfcx(-x)
	case x < 0.5: // erfc x = 1 − erf x
		return float64(Exp(float64(x*x)) * (1 - erfNear0(x)))
	case x < scaledErfcEnd:
		first, rest := scaledErfc.evaluate(x)
		return first + rest
	}
	return erfcxAsymptotic(x)
}

// erfcxAsymptotic returns Erfcx(x) for x from 28 on, by its asymptotic series
// 1/(x·√π)·(1 − 1/(2x²) + 1·3/(2x²)² − 1·3·5/(2x²)³ + …).
//
// Source: Abramowitz and Stegun 7.1.23.
func erfcxAsymptotic(x float64) float64 {
	const rootPi = 1.7724538509055160272981674833411451827975
	const lastFactor = 15 // the term with the factors 1·3·5·…·15 is far below the last digit
	w := 0.5 / x / x      // 1/(2x²)
	series := 0.0         // without the first term, 1; from the last factor to the first, as by Horner
	for k := lastFactor; k >= 1; k -= 2 {
		series = float64(-float64(k)*w) * (1 + series)
	}
	return (1 + series) / x / rootPi
}

// expSquare returns e^(x²) for x ≥ 0, without the error of rounding x².
func expSquare(x float64) float64 {
	const overflow = 26.65 // from here on, the result is larger than any float64
	if x > overflow {
		return math.Inf(1)
	}
	square, squareError := product(x, x)
	p := reduce(square, squareError)
	return scale(p.high+p.low, p.n)
}

// expMinusHalfSquare returns e^(−x²/2) without the error of rounding x².
func expMinusHalfSquare(x float64) float64 {
	const underflow = 38.7 // from here on, the result rounds to 0
	if math.Abs(x) > underflow {
		return 0
	}
	square, squareError := product(x, x)
	p := reduce(float64(-square/2), float64(-squareError/2))
	return scale(p.high+p.low, p.n)
}
