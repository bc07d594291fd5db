package portable

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// UintN draws an integer from 0 to n−1 with equal probabilities. n must be above 0. It returns the
// same integers as r.Uint64N(n) on systems with 64-bit int; on others r.Uint64N draws differently.
//
// It multiplies a random word by n and takes the upper 64 bits of the product. That would favour some
// integers, since 2⁶⁴ is no multiple of n, so that it draws again where the lower 64 bits are below
// 2⁶⁴ mod n.
//
// Source: Lemire 2019, Fast random integer generation in an interval.
func UintN(r *rand.Rand, n uint64) uint64 {
	isPowerOfTwo := n&(n-1) == 0
	if isPowerOfTwo {
		return r.Uint64() & (n - 1)
	}
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n { // only then can low be below biased, whose division is slow
		biased := -n % n // 2⁶⁴ mod n: −n is 2⁶⁴ − n
		for low < biased {
			high, low = bits.Mul64(r.Uint64(), n)
		}
	}
	return high
}

// Perm draws a permutation of 0, …, n−1 by the method of Fisher and Yates. It returns the same as
// r.Perm(n) on systems with 64-bit int.
func Perm(r *rand.Rand, n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := UintN(r, uint64(i)+1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}

// NormFloat64 draws a number from N(0, 1). It returns the same as r.NormFloat64(), except that the few
// numbers that need a logarithm are the same on every CPU.
//
// Source: Marsaglia and Tsang 2000, The ziggurat method for generating random variables. The area
// under the density is covered by horizontal strips of equal area; a number is a random place in a
// random strip, and is drawn again unless it lies under the density.
func NormFloat64(r *rand.Rand) float64 {
	z := ziggurat()
	for {
		bits := r.Uint64()
		place := int32(bits)               // the low half: from −2³¹ to 2³¹ − 1
		strip := bits >> 32 & (strips - 1) // bits of the high half
		if z.isInside(place, strip) {      // in 99 of 100 draws
			return float64(place) * float64(z.width[strip])
		}
		if x, ok := z.drawOutside(place, strip, r); ok {
			return x
		}
	}
}

// NormFloat32s fills dst with numbers from N(0, 1), one for each random word: the low 7 bits of the
// word choose the strip of the ziggurat (NormFloat64), and the upper 25 bits the place in the strip, an
// odd multiple of 2⁻²⁵ of half its width, so that no place is 0. About one word in 80 does not suffice;
// more(i) then returns the source of further random bits for dst[i].
func NormFloat32s(dst []float32, words []uint32, more func(i int) *rand.Rand) {
	z := ziggurat()
	for i, word := range words {
		upperBits := int32(word) >> 7        // signed, 25 bits
		place := (2*upperBits + 1) << 6      // 2·upperBits + 1 has 26 bits: fill the 32 bits of a place
		strip := uint64(word & (strips - 1)) // the low 7 bits, since there are 2⁷ strips
		if z.isInside(place, strip) {
			dst[i] = float32(float64(place) * float64(z.width[strip]))
			continue
		}
		r := more(i)
		x, ok := z.drawOutside(place, strip, r)
		if !ok { // the point is not under the density: draw another one
			x = NormFloat64(r)
		}
		dst[i] = float32(x)
	}
}

// Ziggurat returns two tables of NormFloat32s, by strip: the absolute value below which a place lies
// inside, and half of the strip's width, divided by 2³¹.
func Ziggurat() (inside *[strips]uint32, width *[strips]float32) {
	z := ziggurat()
	return &z.inside, &z.width
}

// isInside reports whether a place in a strip lies under the curve at every height of the strip.
func (z *layers) isInside(place int32, strip uint64) bool {
	return max(int64(place), -int64(place)) < int64(z.inside[strip])
}

// drawOutside decides about a place for which isInside is false. In the lowest strip it draws a number
// from the tail. In other strips it draws a height between the strip's edges, and returns the number
// at the place; ok is false if the point at this place and height does not lie under the curve.
func (z *layers) drawOutside(place int32, strip uint64, r *rand.Rand) (x float64, ok bool) {
	if strip == 0 {
		return drawTail(place, r), true
	}
	x = float64(place) * float64(z.width[strip])
	rise := float32(float32(r.Float64()) * (z.height[strip-1] - z.height[strip]))
	return x, z.height[strip]+rise < float32(Exp(float64(-0.5*x)*x))
}

// drawTail draws a number from the tails of N(0, 1), beyond ±zigguratEnd, with the sign of place.
//
// Source: Marsaglia 1964, Generating a variable from the tail of the normal distribution.
func drawTail(place int32, r *rand.Rand) float64 {
	for {
		x := float64(-Log(r.Float64()) * (1.0 / zigguratEnd))
		y := -Log(r.Float64())
		if y+y >= float64(x*x) {
			return math.Copysign(zigguratEnd+x, float64(place))
		}
	}
}

const (
	strips       = 128
	zigguratEnd  = 3.442619855899      // where the tail begins
	zigguratArea = 9.91256303526217e-3 // area of each strip; the area of the lowest one includes the tail
)

// layers holds the strips under the curve e^(−x²/2), from the lowest, which includes the tail, to the
// top. Each strip is centred on 0. A place in a strip is an int32: 2³¹ stands for half of its width.
type layers struct {
	inside [strips]uint32  // places of a smaller absolute value lie under the curve at every height
	width  [strips]float32 // half of the strip's width, divided by 2³¹
	height [strips]float32 // height of the curve at the strip's end
}

// ziggurat returns the strips, which are computed at the first call.
var ziggurat = sync.OnceValue(func() *layers {
	const unit = 1 << 31 // the place at the end of a strip
	height := func(x float64) float64 { return Exp(float64(-0.5*x) * x) }
	var z layers
	x := zigguratEnd
	base := zigguratArea / height(x) // width of the lowest strip if it had no tail
	z.inside[0] = uint32(x / base * unit)
	z.width[0] = float32(base / unit)
	z.height[0] = 1
	// Strip 0 is the lowest. The others are numbered from the top, 1, to the one above the lowest,
	// 127, and are computed from there upwards. x is half of the present strip's width.
	for i := strips - 1; i > 0; i-- {
		z.width[i] = float32(x / unit)
		z.height[i] = float32(height(x))
		if i == 1 {
			break // no place of the top strip is under the curve at every height
		}
		// The strip is zigguratArea/x high; the next one begins at its upper edge, and is as wide as
		// the curve is there.
		widthAbove := math.Sqrt(-2 * Log(zigguratArea/x+height(x)))
		z.inside[i] = uint32(widthAbove / x * unit)
		x = widthAbove
	}
	return &z
})
