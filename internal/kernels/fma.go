package kernels

import "math"

// fma returns a·b + c rounded once to float32, as the fused instructions of
// a CPU do, on every platform.
//
// The product of two float32 is exact in float64, so p + c in float64 is one
// rounding away from the exact value. Rounding that sum again to float32
// errs only where the first rounding landed on a tie of the second: then the
// low 28 bits of its fraction are zero, and the slow way looks closer. (A tie
// among normal float32 has bit 28 set and the bits below clear; among
// denormals yet more bits are clear.)
func fma(a, b, c float32) float32 {
	s := float64(float64(a)*float64(b)) + float64(c) // the product is exact
	if math.Float64bits(s)<<36 == 0 {
		return fmaTie(a, b, c)
	}
	return float32(s)
}

// fmaTie is fma where the sum in float64 may be a tie of float32.
//
//go:noinline
func fmaTie(a, b, c float32) float32 {
	p := float64(float64(a) * float64(b))
	return float32(odd(p, float64(c), p+float64(c)))
}

// odd returns p + c rounded to odd, given s = p + c rounded to nearest: if
// the sum is inexact, of its two neighbours the one whose last bit is set.
// Rounding that to a format two or more bits shorter is the same as rounding
// the exact sum (Boldo and Melquiond, "When double rounding is odd", 2005).
func odd(p, c, s float64) float64 {
	// Knuth's TwoSum: p + c = s + e exactly. Each difference is exact or
	// the algorithm's own rounding; none has a product to fuse with.
	t := s - p
	e := (p - (s - t)) + (c - t)
	bits := math.Float64bits(s)
	if bits&1 == 1 || !(e > 0 || e < 0) || math.IsInf(s, 0) {
		return s
	}
	if (e > 0) == (s > 0) {
		return math.Float64frombits(bits + 1)
	}
	return math.Float64frombits(bits - 1)
}
