// Package portable computes elementary functions of float64, and draws random numbers, with the same
// bits on every CPU. Package math does not: some of its functions are assembly on some CPUs, and Go
// may fuse x*y + z, which rounds once instead of twice. Use these functions for all numbers that end
// in a file or in a comparison, and write float64(x*y) + z around them. The package does not replace
// math for square roots, rounding and bits, which are exact everywhere.
//
// All code here rounds each product by a conversion, which prevents fusing, and calls no functions
// but those that are exact everywhere.
//
// The largest errors found by comparison with 256-bit arithmetic, in units in the last place, are
// (TestErrors, TestErrorsOfTailsAndGammas):
//
//	Exp            1.1; 0.7 if the result is not denormal
//	Expm1          1.1
//	Log            0.8
//	Log1p          1.1
//	Log2           0.5
//	Pow            1.1
//	Sin, Cos       0.8
//	Tanh           2
//	Sinh           2
//	Cosh           1.2
//	Asinh          1.5
//	Atan           1.4
//	Sigmoid        1.8
//	Softplus       1.5
//	Erf            1.2
//	Erfc           2
//	Erfcx          1.4
//	NormalQuantile 1.7
//	LogNormalCDF   2.3
//	InverseMills   2.1
//	MillsExcess    1.9
//	LogGamma       1.5 for x > 0
//	Digamma        1 from 2.5 on
//	Polygamma      2 for x > 0
//
// NormalCDF(z) and NormalPDF(z) round z/√2 and z²/2 first. In the tails this causes most of the
// error: about z² units.
package portable

import "math"

// mulAdd returns a·b + c with the product rounded: it is never fused.
func mulAdd(a, b, c float64) float64 { return float64(a*b) + c }

// product returns a·b as the sum of high, the rounded product, and low, its rounding error. The sum
// is exact up to a relative error of 2⁻¹⁰⁴.
//
// Source: Dekker 1971, A floating-point technique for extending the available precision.
func product(a, b float64) (high, low float64) {
	aHigh, aLow := halves(a)
	bHigh, bLow := halves(b)
	high = float64(a * b)
	// (aHigh + aLow)·(bHigh + bLow) − high, the largest terms first: they cancel most of high.
	low = (((float64(aHigh*bHigh) - high) + float64(aHigh*bLow)) + float64(aLow*bHigh)) + float64(aLow*bLow)
	return high, low
}

// halves returns two numbers whose sum is x, and which have at most half of its bits each, so that
// products of halves are exact.
func halves(x float64) (high, low float64) {
	const lowBits = 1<<27 - 1 // half of the 53 bits of a mantissa
	high = math.Float64frombits(math.Float64bits(x) &^ lowBits)
	return high, x - high
}

// polynomial returns c[0] + c[1]·x + c[2]·x² + …. The number of coefficients must be even. Even and
// odd powers are summed separately, as polynomials in x², since a CPU can compute both sums at the
// same time.
func polynomial(x float64, c []float64) float64 {
	square := float64(x * x)
	n := len(c)
	even := c[n-2]
	odd := c[n-1]
	for i := n - 4; i >= 0; i -= 2 {
		even = mulAdd(square, even, c[i])
		odd = mulAdd(square, odd, c[i+1])
	}
	return mulAdd(x, odd, even)
}
