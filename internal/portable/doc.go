// Package portable holds elementary functions of float64, and what is drawn
// with them, that give the same bits on every CPU. Package math does not: some of
// its functions are assembly on some CPUs, and x*y + z is rounded once where the
// CPU fuses the two. Here every product is rounded by a conversion, which prevents
// fusing, and nothing is called but what is exact everywhere: +, −, ·, /, square
// roots and bits.
//
// Whatever ends in a file or in a comparison is computed with these functions,
// and with explicit conversions around products that are added to.
//
// Largest errors met against 256-bit arithmetic (TestErrors), in units in the
// last place: Exp 1.1 (0.7 but for denormal results), Pow 1.1, Expm1 1.1, Log 0.8, Log1p 1.1,
// Sin 0.8, Cos 0.8, Erf 1.2, Erfc 2, NormalQuantile 1.7, Softplus 1.5, Tanh 2,
// Sigmoid 1.8; Erfcx 1.4, LogNormalCDF 2.3, InverseMills 2.1, MillsExcess 1.9, LogGamma
// 1.5 for x > 0, Digamma 1 from 2.5 on, Polygamma 2 for x > 0, Log2 0.5
// (TestErrorsOfTailsAndGammas). NormalCDF and NormalPDF are those of z/√2 and z²/2 rounded: in the
// tails that rounding is what counts, some z² units.
package portable

import "math"

// mulAdd is a·b + c, rounded twice.
func mulAdd(a, b, c float64) float64 { return float64(a*b) + c }

// product is a·b as a sum, exact but for what is below 2⁻¹⁰⁴ of it. Source: Dekker
// 1971.
func product(a, b float64) (high, low float64) {
	a1, a2 := halves(a)
	b1, b2 := halves(b)
	high = float64(a * b)
	low = (((float64(a1*b1) - high) + float64(a1*b2)) + float64(a2*b1)) + float64(a2*b2)
	return high, low
}

// halves are two numbers of half of the bits of x each, whose sum it is.
func halves(x float64) (high, low float64) {
	high = math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
	return high, x - high
}

// polynomial is c[0] + c[1]·x + c[2]·x² + … of an even number of terms. Those of even
// and of odd powers are summed apart, which a CPU does side by side.
func polynomial(x float64, c []float64) float64 {
	w := float64(x * x)
	n := len(c)
	even, odd := c[n-2], c[n-1]
	for i := n - 4; i >= 0; i -= 2 {
		even, odd = mulAdd(w, even, c[i]), mulAdd(w, odd, c[i+1])
	}
	return mulAdd(x, odd, even)
}
