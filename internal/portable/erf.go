package portable

import "math"

// Erf returns the error function of x. Erf(−x) is −Erf(x) in every bit.
func Erf(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0.5:
		return erfNear(x)
	case a < 6:
		return math.Copysign(1-erfcFar(a), x)
	case x != x:
		return x
	}
	return math.Copysign(1, x)
}

// Erfc returns the complementary error function, 1 − erf x, with full precision where it is small; it
// is 0 from 27.3 on. Erfc(−x) is 2 − Erfc(x) in every bit.
func Erfc(x float64) float64 {
	switch {
	case x < -6:
		return 2
	case x < 0:
		return 2 - Erfc(-x)
	case x < 0.5:
		return 1 - erfNear(x)
	case x < 28:
		return erfcFar(x)
	case x != x:
		return x
	}
	return 0
}

// erfNear returns erf x for |x| < ½ as 2/√π·(x + x³·t), where t is the Taylor series up to x²².
func erfNear(x float64) float64 {
	const twoByRootPi = 1.1283791670955125738961589031215451716881 // 2/√π
	square := float64(x * x)
	t := polynomial(square, erfTerms)
	return x + float64(x*mulAdd(float64(square*t), twoByRootPi, twoByRootPi-1))
}

// erfTerms holds the coefficients (−1)ᵏ/(k!·(2k+1)) of the series of erf, from k = 1 on.
var erfTerms = []float64{-1.0 / 3, 1.0 / (2 * 5), -1.0 / (6 * 7), 1.0 / (24 * 9), -1.0 / (120 * 11), 1.0 / (720 * 13),
	-1.0 / (5040 * 15), 1.0 / (40320 * 17), -1.0 / (362880 * 19), 1.0 / (3628800 * 21), -1.0 / (39916800 * 23), 1.0 / (479001600 * 25)}

// erfcFar returns erfc x for ½ ≤ x < 28 as e^(−x²)·g(x), where g is smooth and falls like 1/x.
func erfcFar(x float64) float64 {
	square, squareError := product(x, x)
	p := reduce(-square, -squareError)
	first, rest := scaledErfc.at(x)
	y := float64(first*p.high) + (float64(first*p.low) + float64(rest*(p.high+p.low)))
	return scale(y, p.n)
}
