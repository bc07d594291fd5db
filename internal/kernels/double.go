package kernels

import "math"

// This file, normal.go and gamma_step.go compute in float64 the functions for which float32
// would lose digits. Their relative error is 10⁻¹⁰ or less, so that rounding the result to
// float32 gives an error of at most 0.51 units in the last place. They use only sums, products,
// quotients and bit operations, without fused multiply-adds: float64(x*y) keeps the compiler
// from fusing a product with a sum. Arguments are float32 numbers.

const (
	roundToInteger64 = 0x1.8p52           // 1.5·2⁵²: adding it rounds to an integer
	oneBits64        = 0x3FF0000000000000 // bits of 1
	sqrtHalfBits64   = 0x3FE6A09E667F3BCD // bits of √½
	twoTo52Bits64    = 0x4330000000000000 // bits of 2⁵²: "or" with an integer n < 2⁵² gives the bits of 2⁵² + n
	mantissaBits64   = 52                 // position of the exponent
	exponentBias64   = 1023               // exponent field of 1
)

// expCoefficients are the Taylor coefficients 1/k! of e^x, for |x| ≤ ½ log 2.
var expCoefficients = [...]float64{1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880}

// horner returns the polynomial c[0] + c[1]·x + c[2]·x² + … by Horner's rule.
func horner(x float64, c []float64) float64 {
	y := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		y = float64(x*y) + c[i]
	}
	return y
}

// exp64 returns e^x for |x| < 700. With x = n·log 2 + r and the integer n nearest to x/log 2, this is
// e^r·2^n.
func exp64(x float64) float64 {
	shifted := float64(x*math.Log2E) + roundToInteger64 // rounds to an integer: its lowest bits are n
	r := x - float64((shifted-roundToInteger64)*math.Ln2)
	// The shift moves the lowest bits of n + exponentBias64 to the exponent, and all others out.
	powerOf2 := math.Float64frombits((math.Float64bits(shifted) + exponentBias64) << mantissaBits64)
	return horner(r, expCoefficients[:]) * powerOf2
}

// atanhCoefficients are the Taylor coefficients of (atanh x)/x in x², for |x| < 1/6.
var atanhCoefficients = [...]float64{1, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19}

// log64 returns log x for x = 0 and normal x > 0. With x = 2^e·f and √½ ≤ f < √2, this is
// e·log 2 + 2·atanh((f−1)/(f+1)).
func log64(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	bits := math.Float64bits(x)
	biased := (bits + (oneBits64 - sqrtHalfBits64)) >> mantissaBits64          // e + exponentBias64
	f := math.Float64frombits(bits - biased<<mantissaBits64 + oneBits64)       // x/2^e
	e := math.Float64frombits(biased|twoTo52Bits64) - (1<<52 + exponentBias64) // converts the integer to float64
	s := (f - 1) / (f + 1)
	return float64(e*math.Ln2) + float64((s+s)*horner(float64(s*s), atanhCoefficients[:]))
}
