package kernels

import "math"

// fma returns a·b + c rounded once to float32, as the fused instructions of a CPU do.
//
// The product of two float32 is exact in float64, so that the sum in float64 is rounded once.
// Rounding it again to float32 gives a wrong result only if the first rounding made it a tie: a
// number halfway between two float32. fmaTie handles these rare sums.
func fma(a, b, c float32) float32 {
	sum := float64(float64(a)*float64(b)) + float64(c) // the product is exact
	if mayBeTie(sum) {
		return fmaTie(a, b, c)
	}
	return float32(sum)
}

// addScaled sets c[j] = fma(s, b[j], c[j]). It contains the usual case of fma, for speed.
func addScaled(c []float32, s float32, b []float32) {
	a := float64(s)
	for j, x := range b[:len(c)] {
		sum := float64(a*float64(x)) + float64(c[j])
		if mayBeTie(sum) {
			c[j] = fmaTie(s, x, c[j])
		} else {
			c[j] = float32(sum)
		}
	}
}

// mayBeTie reports whether x may lie halfway between two float32. Denormal float32 have ties in
// other places than normal ones.
func mayBeTie(x float64) bool { return isNormalTie(x) || isDenormal(x) }

// isNormalTie reports whether x lies halfway between two normal float32. A float64 has 29 bits
// more than a float32, and in a tie only the highest of them is 1.
func isNormalTie(x float64) bool {
	return uint32(math.Float64bits(x))&(1<<29-1) == 1<<28
}

// isDenormal reports whether x is smaller than a normal float32, but not 0.
func isDenormal(x float64) bool {
	const minNormal64Bits = (1023 - 126) << 52             // bits of the smallest normal float32 as a float64
	return math.Float64bits(x)<<1-1 < minNormal64Bits<<1-1 // the shift drops the sign; 0 − 1 is a large number
}

// fmaTie returns fma(a, b, c) where the sum in float64 may be a tie of float32.
//
//go:noinline
func fmaTie(a, b, c float32) float32 {
	p := float64(float64(a) * float64(b))
	return float32(roundToOdd(p, float64(c), p+float64(c)))
}

// roundToOdd returns p + c rounded to odd: the exact sum if it is a float64, or else the
// neighbour whose last bit is 1. s is p + c rounded to nearest. Rounding the result to a format
// that is shorter by two or more bits is the same as rounding the exact sum (Boldo and Melquiond,
// "When double rounding is odd", 2005).
func roundToOdd(p, c, s float64) float64 {
	// Knuth's TwoSum algorithm: p + c = s + e exactly.
	roundedC := s - p
	e := (p - (s - roundedC)) + (c - roundedC)
	bits := math.Float64bits(s)
	isOdd := bits&1 == 1
	isExact := !(e > 0 || e < 0) // also if e is NaN, after an overflow
	if isOdd || isExact || math.IsInf(s, 0) {
		return s
	}
	// The exact sum lies between s and the neighbour on the side of e, which is odd. Adding 1 to the
	// bits moves away from 0.
	if (e > 0) == (s > 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}
