// Package portable holds elementary functions of float64, and what is drawn
// with them, that give the same bits on every CPU, whatever the compiler makes
// of them. Package math does not: some of its functions are assembly on some
// CPUs, and where Go code says x*y + z, compilers for CPUs that fuse the two round
// once and others twice. Here every product is rounded by a conversion, which the
// language says prevents fusing, and nothing is called but what is exact
// everywhere: +, −, ·, /, square roots and bits.
//
// Whatever ends in a file or in a comparison is computed with these functions,
// and with explicit conversions around products that are added to.
//
// Largest errors met against 256-bit arithmetic (TestErrors), in units in the
// last place: Exp 1.1 (0.7 but for denormal results), Pow 1.1, Expm1 1.1, Log 0.8, Log1p 1.1,
// Sin 0.8, Cos 0.8, Erf 1.2, Erfc 2, NormalQuantile 1.7, Softplus 1.5, Tanh 2,
// Sigmoid 1.8. NormalCDF and NormalPDF are those of z/√2 and z²/2 rounded: in the
// tails that rounding is what counts, some z² units.
package portable

// mulAdd is a·b + c, rounded twice.
func mulAdd(a, b, c float64) float64 { return float64(a*b) + c }
