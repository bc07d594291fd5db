package portable

import (
	"math"
	"math/bits"
)

// twoOverPi holds 64 zeros and then the bits of 2/π after the binary point. Source: mpmath.
var twoOverPi = [...]uint64{0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
	0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
	0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// halfPiHigh and halfPiLow are the first 128 bits of ½π: ½π·2¹²⁷ is halfPiHigh·2⁶⁴ + halfPiLow.
const (
	halfPiHigh = 0xc90fdaa22168c234
	halfPiLow  = 0xc4c6628b80dc1cd1
)

// farQuadrant is quadrant for finite |x| from 1 on: it returns n, r and d such that x = n·½π + r + d,
// up to multiples of 2π.
//
// It multiplies x by so many bits of 2/π that 190 bits of the product after the binary point are
// right. No float64 is nearer to a multiple of ½π than 2⁻⁶², so that more than 2·53 bits of r + d are
// right.
//
// Source: Payne and Hanek 1983, Radian reduction for trigonometric functions, SIGNUM Newsletter 18.
func farQuadrant(x float64) (n int, r, d float64) {
	quarters := timesTwoOverPi(math.Abs(x))
	n = int(quarters.high >> 62)           // the two bits before the binary point
	fraction := quarters.shiftLeft(2)      // the bits after it, in units of 2⁻¹⁹²
	nearerToNext := fraction.high>>63 != 0 // the fraction is at least ½
	if nearerToNext {                      // count from the next integer: r is negative
		n++
		fraction = fraction.negate()
	}
	r, d = fraction.timesHalfPi()
	if nearerToNext {
		r, d = -r, -d
	}
	if x < 0 { // the above is for |x|
		return -n, -r, -d
	}
	return n, r, d
}

// uint192 is an integer of 192 bits, modulo 2¹⁹².
type uint192 struct {
	high, middle, low uint64
}

// timesTwoOverPi returns x·2/π modulo 4, in units of 2⁻¹⁹⁰, for finite x from 1 on.
func timesTwoOverPi(x float64) uint192 {
	// x = mantissa·2^exponent.
	const mantissaBits = 52 // without the leading 1, which is not stored
	xBits := math.Float64bits(x)
	exponent := int(xBits>>mantissaBits) - 1023 - mantissaBits
	mantissa := xBits&(1<<mantissaBits-1) | 1<<mantissaBits

	// Bits of 2/π before the first one only add multiples of 4 to the product: the product of the
	// first bit with the mantissa's last bit is 2.
	first := 64 + exponent - 2
	word := first / 64
	shift := uint(first % 64)
	var factor [3]uint64 // 192 bits of 2/π
	for i := range factor {
		factor[i] = twoOverPi[word+i]<<shift | twoOverPi[word+i+1]>>(64-shift)
	}

	// The product of mantissa and factor, modulo 2¹⁹²: long multiplication in words of 64 bits.
	carry, low := bits.Mul64(mantissa, factor[2])
	high, middle := bits.Mul64(mantissa, factor[1])
	middle, middleCarry := bits.Add64(middle, carry, 0)
	high += mantissa*factor[0] + middleCarry
	return uint192{high: high, middle: middle, low: low}
}

// shiftLeft returns u·2ⁿ for n from 0 to 63.
func (u uint192) shiftLeft(n uint) uint192 {
	return uint192{
		high:   u.high<<n | u.middle>>(64-n),
		middle: u.middle<<n | u.low>>(64-n),
		low:    u.low << n,
	}
}

// negate returns −u.
func (u uint192) negate() uint192 {
	low, borrow := bits.Sub64(0, u.low, 0)
	middle, borrow := bits.Sub64(0, u.middle, borrow)
	high, _ := bits.Sub64(0, u.high, borrow)
	return uint192{high: high, middle: middle, low: low}
}

// timesHalfPi returns u·2⁻¹⁹²·½π as the sum of r and its rounding error d. u must not be 0 and have
// at most 127 leading zeros.
func (u uint192) timesHalfPi() (r, d float64) {
	// Shift the leading zeros out of u, so that its upper 128 bits are all significant.
	leadingZeros := 0
	if u.high == 0 {
		u = uint192{high: u.middle, middle: u.low}
		leadingZeros = 64
	}
	shift := uint(bits.LeadingZeros64(u.high))
	u = u.shiftLeft(shift)
	leadingZeros += int(shift)

	// high and low are the upper 128 bits of the product of u's upper 128 bits with those of ½π. The
	// product of the two lower words would not change them by more than their last bit.
	high, low := bits.Mul64(u.high, halfPiHigh)
	cross, _ := bits.Mul64(u.high, halfPiLow)
	otherCross, _ := bits.Mul64(u.middle, halfPiHigh)
	low, carry := bits.Add64(low, cross, 0)
	low, otherCarry := bits.Add64(low, otherCross, 0)
	high += carry + otherCarry

	// r takes the upper 53 bits of the product, and d the next 53: as many as a float64 has. The last
	// bit of high stands for 2⁻⁶³ (times 2 to the power of −leadingZeros), the last bit of low for 2⁻¹²⁷.
	const (
		mantissaBits = 53
		highRest     = 64 - mantissaBits       // low bits of high, which belong to d
		lowUsed      = mantissaBits - highRest // upper bits of low, which belong to d
		lowUnused    = 64 - lowUsed
	)
	dBits := high&(1<<highRest-1)<<lowUsed | low>>lowUnused
	r = math.Ldexp(float64(high>>highRest), highRest-63-leadingZeros)
	d = math.Ldexp(float64(dBits), lowUnused-127-leadingZeros)
	return r, d
}
