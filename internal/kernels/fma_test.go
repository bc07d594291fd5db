package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigFMA is a·b + c by exact arithmetic, rounded once.
func bigFMA(a, b, c float32) float32 {
	fa, fb, fc := float64(a), float64(b), float64(c)
	if math.IsNaN(fa) || math.IsNaN(fb) || math.IsNaN(fc) || math.IsInf(fa, 0) || math.IsInf(fb, 0) || math.IsInf(fc, 0) {
		return float32(fa*fb + fc) // no rounding decides here
	}
	p := new(big.Float).SetPrec(2000).SetFloat64(fa)
	p.Mul(p, new(big.Float).SetPrec(2000).SetFloat64(fb))
	p.Add(p, new(big.Float).SetPrec(2000).SetFloat64(fc))
	if p.Sign() == 0 {
		return float32(fa*fb + fc) // the sign of zero
	}
	r, _ := p.Float32()
	return r
}

// sameBits says whether two numbers are the same, all NaNs being one.
func sameBits(x, y float32) bool {
	return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
}

// anyFloat draws a float32 of any kind: random bits, small integers,
// neighbours of powers of two, specials.
func anyFloat(r *rand.Rand) float32 {
	switch r.IntN(8) {
	case 0:
		return float32(r.IntN(9) - 4)
	case 1: // near a power of two
		e := uint32(r.IntN(255))
		x := math.Float32frombits(e<<23 + uint32(r.IntN(5)) - 2)
		if r.IntN(2) == 0 {
			x = -x
		}
		return x
	case 2: // few bits set
		return math.Float32frombits(1<<r.IntN(32) | 1<<r.IntN(32) | 1<<r.IntN(32))
	case 3:
		return float32(r.NormFloat64())
	case 4: // denormal
		return math.Float32frombits(r.Uint32() & 0x807FFFFF)
	case 5:
		special := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32}
		return special[r.IntN(len(special))]
	}
	return math.Float32frombits(r.Uint32())
}

func TestFMAIsExact(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	r := rand.New(rand.NewPCG(1, 0))
	fails := 0
	try := func(a, b, c float32) {
		if got, want := fma(a, b, c), bigFMA(a, b, c); !sameBits(got, want) {
			if fails++; fails < 10 {
				t.Errorf("fma(%x, %x, %x) = %x, want %x", a, b, c, got, want)
			}
		}
	}
	for range 300_000 {
		try(anyFloat(r), anyFloat(r), anyFloat(r))
	}
	// Sums that a float64 rounds onto a float32 tie: c on or next to a tie
	// of the result, a·b tiny; and the other way round, for results of all
	// magnitudes, denormal ones too.
	for range 300_000 {
		e := r.IntN(250)
		c := math.Float32frombits(uint32(e)<<23 | r.Uint32()&0x807FFFFF)
		half := math.Ldexp(1, max(e, 1)-127-24) // half an ulp of c
		a := float32(math.Ldexp(float64(1+2*r.IntN(2)), -r.IntN(20)))
		b := float32(half) / a
		if r.IntN(2) == 0 {
			b = -b
		}
		if r.IntN(2) == 0 {
			a = math.Nextafter32(a, float32(r.IntN(3)))
		}
		try(a, b, c)
		// a·b just off a tie, c far below.
		m := float64(r.IntN(1<<12)<<13 | 1<<12 | 1) // 25 bits
		x := float32(m)
		y := float32(1<<12 | r.IntN(1<<12))
		z := float32(math.Ldexp(float64(1-2*r.IntN(2)), -30-r.IntN(100)))
		try(x, y, z)
		// The same among denormals.
		s := math.Float32frombits(uint32(1+r.IntN(1<<23)) | uint32(r.IntN(2))<<31)
		try(float32(math.Ldexp(float64(1+2*r.IntN(3)), -75)), float32(math.Ldexp(1, -75)), s)
		try(float32(math.Ldexp(1+float64(r.IntN(64))/32, -80)), float32(math.Ldexp(1+float64(r.IntN(4))/4, -70)), s)
	}
}

// TestFMAKnownDoubleRounding is worked by hand: 2⁰ + 2⁻²⁴ is a tie of float32 and 2⁻⁸⁰ decides it, but float64 cannot
// hold all three. Of the denormal numbers, the sum is 2⁻¹⁹⁶ below a tie, the lower number of which is odd.
func TestFMAKnownDoubleRounding(t *testing.T) {
	tie := float32(1 + 1.0/(1<<12)) // its square is 1 + 2⁻¹¹ + 2⁻²⁴
	above := float32(math.Ldexp(1+0x1p-23, -75))
	below := float32(math.Ldexp(1-0x1p-23, -75)) // above·below = 2⁻¹⁵⁰·(1 − 2⁻⁴⁶)
	denormal := math.Float32frombits(0x400001)
	for _, c := range []struct{ a, b, c, want float32 }{
		{tie, tie, 0x1p-80, 1 + 1.0/(1<<11) + 1.0/(1<<23)},
		{tie, tie, -0x1p-80, 1 + 1.0/(1<<11)},
		{above, below, denormal, denormal},
	} {
		if got := fma(c.a, c.b, c.c); got != c.want {
			t.Errorf("fma(%x, %x, %x) = %x, want %x", c.a, c.b, c.c, got, c.want)
		}
	}
}
