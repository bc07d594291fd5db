package portable

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// Below draws an integer from 0 to n−1, n > 0, each equally likely: what
// r.Uint64N(n) does where an int has 64 bits. Where it has 32, that draws others.
// Source: Lemire 2019, Fast random integer generation in an interval.
func Below(r *rand.Rand, n uint64) uint64 {
	if n&(n-1) == 0 {
		return r.Uint64() & (n - 1)
	}
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n {
		for biased := -n % n; low < biased; {
			high, low = bits.Mul64(r.Uint64(), n)
		}
	}
	return high
}

// Perm draws a permutation of 0, …, n−1: r.Perm(n) where an int has 64 bits.
func Perm(r *rand.Rand, n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := Below(r, uint64(i)+1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// NormFloat64 draws from N(0,1): what r.NormFloat64() draws, but that the few
// numbers that need a logarithm are the same on every CPU. Source: Marsaglia and
// Tsang 2000, The ziggurat method for generating random variables.
func NormFloat64(r *rand.Rand) float64 {
	z := ziggurat()
	for {
		u := r.Uint64()
		j, i := int32(u), u>>32&(strips-1)
		if x := float64(j) * float64(z.width[i]); z.isInside(j, i) {
			return x // 99 times of 100
		}
		if x, ok := z.outside(j, i, r); ok {
			return x
		}
	}
}

// NormFloat32s draws dst from N(0,1), each number of a random word: of its low 7 bits
// the strip of the ziggurat, of the others the place in it, an odd multiple of 2⁻²⁵
// of its width. A word in 80 does not suffice: more(i) has the bits that number i
// takes then.
func NormFloat32s(dst []float32, words []uint32, more func(i int) *rand.Rand) {
	z := ziggurat()
	for at, word := range words {
		j, i := (int32(word)>>7*2+1)<<6, uint64(word&(strips-1))
		if z.isInside(j, i) {
			dst[at] = float32(float64(j) * float64(z.width[i]))
			continue
		}
		r := more(at)
		x, ok := z.outside(j, i, r)
		if !ok {
			x = NormFloat64(r)
		}
		dst[at] = float32(x)
	}
}

// Ziggurat returns the tables of NormFloat32s: for each strip its width in 2⁻³¹, and
// what share of it, in 2⁻³¹, a word suffices for.
func Ziggurat() (inside *[strips]uint32, width *[strips]float32) {
	z := ziggurat()
	return &z.inside, &z.width
}

// isInside tells whether place j of strip i lies under the curve whatever the height.
func (z *layers) isInside(j int32, i uint64) bool {
	return max(int64(j), -int64(j)) < int64(z.inside[i])
}

// outside draws what becomes of another place: itself or a number of the tail, or
// none.
func (z *layers) outside(j int32, i uint64, r *rand.Rand) (x float64, ok bool) {
	if i == 0 {
		for {
			x := float64(-Log(r.Float64()) * (1.0 / zigguratEnd))
			if y := -Log(r.Float64()); y+y >= float64(x*x) {
				return math.Copysign(zigguratEnd+x, float64(j)), true
			}
		}
	}
	x = float64(j) * float64(z.width[i])
	rise := float32(float32(r.Float64()) * (z.height[i-1] - z.height[i]))
	return x, z.height[i]+rise < float32(Exp(float64(-0.5*x)*x))
}

const (
	strips       = 128
	zigguratEnd  = 3.442619855899      // where the tail begins
	zigguratArea = 9.91256303526217e-3 // of each strip, the tail counted to the lowest
)

// layers are the strips under e^(−x²/2), from the lowest, which has the tail,
// to the top.
type layers struct {
	inside [strips]uint32  // the share of the strip's width that lies under the curve whatever the height, in 2⁻³¹
	width  [strips]float32 // in 2⁻³¹
	height [strips]float32 // of the curve at the strip's end
}

var ziggurat = sync.OnceValue(func() *layers {
	const unit = 1 << 31
	height := func(x float64) float64 { return Exp(float64(-0.5*x) * x) }
	var z layers
	x := zigguratEnd
	base := zigguratArea / height(x)
	z.inside[0] = uint32(x / base * unit)
	z.width[0] = float32(base / unit)
	z.height[0] = 1
	for i := strips - 1; i > 0; i-- {
		z.width[i] = float32(x / unit)
		z.height[i] = float32(height(x))
		if i == 1 {
			break // nothing of the top strip is under the curve whatever the height
		}
		above := math.Sqrt(-2 * Log(zigguratArea/x+height(x)))
		z.inside[i] = uint32(above / x * unit)
		x = above
	}
	return &z
})
