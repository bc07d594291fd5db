package portable

import (
	"math"
	"math/bits"
)

// twoOverPi are the bits of 2/π, from the one worth ½ on, behind 64 zeros. Source:
// mpmath.
var twoOverPi = [...]uint64{0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
	0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
	0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// ½π·2¹²⁷.
const (
	halfPiHigh = 0xc90fdaa22168c234
	halfPiLow  = 0xc4c6628b80dc1cd1
)

// farQuadrant is quadrant for finite |x| from 1 on, by the method of Payne and Hanek
// (Radian reduction for trigonometric functions, SIGNUM Newsletter 18, 1983): of
// x·2/π it multiplies out the bits that are worth less than 4, 190 of them behind the
// point. No float64 is nearer to a multiple of ½π than 2⁻⁶², so that more than 53·2
// bits of what is left are right.
func farQuadrant(x float64) (n int, r, d float64) {
	all := math.Float64bits(math.Abs(x))
	exponent := int(all>>52) - 1023 - 52
	mantissa := all&(1<<52-1) | 1<<52

	first := 64 + exponent - 2 // the bit of 2/π whose product with the mantissa's last is worth 2
	word, shift := first/64, uint(first%64)
	var of [3]uint64
	for i := range of {
		of[i] = twoOverPi[word+i]<<shift | twoOverPi[word+i+1]>>(64-shift)
	}
	carry, low := bits.Mul64(mantissa, of[2])
	high, middle := bits.Mul64(mantissa, of[1])
	middle, more := bits.Add64(middle, carry, 0)
	high += mantissa*of[0] + more

	n = int(high >> 62)
	high, middle, low = high<<2|middle>>62, middle<<2|low>>62, low<<2 // the fraction, of 2¹⁹²
	negative := high>>63 != 0
	if negative { // nearer to the next
		n++
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		middle, borrow = bits.Sub64(0, middle, borrow)
		high, _ = bits.Sub64(0, high, borrow)
	}
	zeros := 0
	if high == 0 {
		high, middle, low, zeros = middle, low, 0, 64
	}
	left := uint(bits.LeadingZeros64(high))
	high, middle = high<<left|middle>>(64-left), middle<<left|low>>(64-left)
	zeros += int(left)

	// Times ½π·2¹²⁷, of which the upper 128 bits.
	product, rest := bits.Mul64(high, halfPiHigh)
	cross, _ := bits.Mul64(high, halfPiLow)
	other, _ := bits.Mul64(middle, halfPiHigh)
	rest, one := bits.Add64(rest, cross, 0)
	rest, two := bits.Add64(rest, other, 0)
	product += one + two

	r = math.Ldexp(float64(product>>11), 11-63-zeros)
	d = math.Ldexp(float64(product&(1<<11-1)<<42|rest>>22), 22-127-zeros)
	if negative {
		r, d = -r, -d
	}
	if x < 0 {
		return -n, -r, -d
	}
	return n, r, d
}
