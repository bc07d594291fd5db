package kernels

import "math"

// Functions in which float32 would lose digits are computed in float64 and rounded
// once, by sums, products, quotients and bits alone: what is rounded twice is within
// 0.51 units in the last place, and needs no fused multiply-add to be the same on every
// path. They are for what float32 can hold, and precise to 10⁻¹⁰ or better.

const (
	magic64     = 0x1.8p52 // 1.5·2⁵²: adding it rounds to an integer
	least64     = 10.2     // e^(−x²) from here on is less than half the least float32
	rootHalf64  = 0x3FE6A09E667F3BCD
	one64       = 0x3FF0000000000000
	whole64     = 0x4330000000000000 // 2⁵²: or-ing an integer to its bits adds it
	exponent64  = 52                 // place of the exponent
	exponentOf1 = 1023
)

// expTerms are those of e^x from 1 on, for |x| ≤ ½ log 2.
var expTerms = [...]float64{1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880}

// horner is c[0] + c[1]·x + c[2]·x² + ….
func horner(x float64, c []float64) float64 {
	y := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		y = float64(x*y) + c[i]
	}
	return y
}

// exp64 is e^x for |x| < 700.
func exp64(x float64) float64 {
	t := float64(x*math.Log2E) + magic64
	r := x - float64((t-magic64)*math.Ln2)
	return horner(r, expTerms[:]) * math.Float64frombits((math.Float64bits(t)+exponentOf1)<<exponent64)
}

// atanhTerms are those of atanh x/x in x², up to a sixth.
var atanhTerms = [...]float64{1, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19}

// log64 is log x for normal x > 0, and for 0.
func log64(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	// x = 2^(n−1023)·f with √½ ≤ f < √2, and log f = 2 atanh((f−1)/(f+1)).
	bits := math.Float64bits(x)
	n := (bits + (one64 - rootHalf64)) >> exponent64
	f := math.Float64frombits(bits - n<<exponent64 + one64)
	e := math.Float64frombits(n|whole64) - (1<<52 + exponentOf1)
	s := (f - 1) / (f + 1)
	return float64(e*math.Ln2) + float64((s+s)*horner(float64(s*s), atanhTerms[:]))
}
