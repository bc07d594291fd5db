package portable

import "math"

// Erf returns the error function of x. Erf(−x) is −Erf(x) in every bit.
func Erf(x float64) float64 {
	const isOne = 6 // from here on, erfc x is below the last digit of 1
	size := math.Abs(x)
	switch {
	case size < 0.5:
		return erfNear0(x)
	case size < isOne:
		return math.Copysign(1-erfcFrom1Half(size), x)
	case x != x: // NaN
		return x
	}
	return math.Copysign(1, x)
}

// Erfc returns the complementary error function, 1 − erf x, with full precision where it is small; it
// is 0 from 27.3 on. Erfc(−x) is 2 − Erfc(x) in every bit.
func Erfc(x float64) float64 {
	const isTwo = -6 // below, 2 − erfc x is less than the last digit of 2
	switch {
	case x < isTwo:
		return 2
	case x < 0:
		return 2 - Erfc(-x)
	case x < 0.5:
		return 1 - erfNear0(x)
	case x < scaledErfcEnd:
		return erfcFrom1Half(x)
	case x != x: // NaN
		return x
	}
	return 0
}

// scaledErfcEnd is the end of the table scaledErfc. Beyond 27.3, erfc x is 0.
const scaledErfcEnd = 28

// erfNear0 returns erf x for |x| < ½ as 2/√π·(x + x³·t), where t is the Taylor series up to x²². It
// computes this as x plus a smaller number, x·((2/√π − 1) + 2/√π·x²·t), whose rounding matters less.
func erfNear0(x float64) float64 {
	const twoByRootPi = 1.1283791670955125738961589031215451716881 // 2/√π
	square := float64(x * x)
	t := polynomial(square, erfTerms)
	return x + float64(x*mulAdd(float64(square*t), twoByRootPi, twoByRootPi-1))
}

// erfTerms holds the coefficients (−1)ᵏ/(k!·(2k+1)) of the series of erf, from k = 1 on.
var erfTerms = []float64{-1.0 / 3, 1.0 / (2 * 5), -1.0 / (6 * 7), 1.0 / (24 * 9), -1.0 / (120 * 11), 1.0 / (720 * 13),
	-1.0 / (5040 * 15), 1.0 / (40320 * 17), -1.0 / (362880 * 19), 1.0 / (3628800 * 21), -1.0 / (39916800 * 23), 1.0 / (479001600 * 25)}

// erfcFrom1Half returns erfc x for ½ ≤ x < 28 as e^(−x²)·g(x), where the function g of the table
// scaledErfc is smooth and falls like 1/x. Both factors are sums of a number and its small correction.
func erfcFrom1Half(x float64) float64 {
	square, squareError := product(x, x)
	gaussian := reduce(-square, -squareError) // e^(−x²)
	first, rest := scaledErfc.evaluate(x)     // g(x)
	y := float64(first*gaussian.high) + (float64(first*gaussian.low) + float64(rest*(gaussian.high+gaussian.low)))
	return scale(y, gaussian.n)
}
