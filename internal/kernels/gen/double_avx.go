package main

import (
	"fmt"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avxDoubles writes arithmetic on vectors of float64 for amd64.
type avxDoubles struct{ avx }

// doubles returns arithmetic on vectors of float64.
func (m avx) doubles() doubleMath { return doubleMath{avxDoubles{m}} }

// zmmOf returns the 512-bit register whose lower part is r.
func zmmOf(r vector) vector { return r.(reg.Vec).AsZ() }

// newHalf returns a new register of half the vector size.
func (d avxDoubles) newHalf() reg.VecVirtual {
	if d.isAVX512 {
		return d.YMM()
	}
	return d.XMM()
}

// lower returns the lower half of x, which is a register by itself.
func (d avxDoubles) lower(x vector) vector {
	if d.isAVX512 {
		return x.(reg.Vec).AsY()
	}
	return x.(reg.Vec).AsX()
}

// upper returns a copy of the upper half of x.
func (d avxDoubles) upper(x vector) vector {
	r := d.newHalf()
	if d.isAVX512 {
		d.VEXTRACTF64X4(Imm(1), x, r)
	} else {
		d.VEXTRACTF128(Imm(1), x, r)
	}
	return r
}

// toDouble converts half a vector of float32 to float64.
func (d avxDoubles) toDouble(x vector) vector { return d.compute(d.VCVTPS2PD, x) }

// toSingle converts float64 to float32.
func (d avxDoubles) toSingle(x vector) vector {
	r := d.newHalf()
	if d.isAVX512 {
		d.VCVTPD2PS(x, r)
	} else {
		d.VCVTPD2PSY(x, r)
	}
	return r
}

// lowerToDouble converts the lower half of a vector of float32.
func (d avxDoubles) lowerToDouble(x vector) vector { return d.toDouble(d.lower(x)) }

// upperToDouble converts the upper half of a vector of float32.
func (d avxDoubles) upperToDouble(x vector) vector { return d.toDouble(d.upper(x)) }

// join puts two halves of a vector together.
func (d avxDoubles) join(low, high vector) vector {
	r := d.new()
	if d.isAVX512 {
		d.VINSERTF64X4(Imm(1), high, zmmOf(low), r)
	} else {
		d.VINSERTF128(Imm(1), high, low.(reg.Vec).AsY(), r)
	}
	return r
}

// bits returns the address of a vector of copies of a 64-bit word.
func (d avxDoubles) bits(word uint64) vector {
	copies := slices.Repeat([]Constant{U64(word)}, 8)
	return d.table(fmt.Sprintf("%016x", word), copies...)
}

// float returns the address of a vector of copies of x.
func (d avxDoubles) float(x float64) vector { return d.bits(math.Float64bits(x)) }

// The results are a + b, a − b, a·b and a/b.

func (d avxDoubles) add(a, b vector) vector { return d.compute(d.VADDPD, b, a) }
func (d avxDoubles) sub(a, b vector) vector { return d.compute(d.VSUBPD, b, a) }
func (d avxDoubles) mul(a, b vector) vector { return d.compute(d.VMULPD, b, a) }
func (d avxDoubles) div(a, b vector) vector { return d.compute(d.VDIVPD, b, a) }

// min returns the smaller of a and b, and b if either is NaN.
func (d avxDoubles) min(a, b vector) vector { return d.compute(d.VMINPD, b, a) }

// Operations on 64-bit integers. shiftRight fills in zeros.

func (d avxDoubles) addInt(a, b vector) vector { return d.compute(d.VPADDQ, b, a) }
func (d avxDoubles) subInt(a, b vector) vector { return d.compute(d.VPSUBQ, b, a) }
func (d avxDoubles) shiftLeft(a vector, n uint8) vector {
	return d.compute(d.VPSLLQ, Imm(uint64(n)), a)
}
func (d avxDoubles) shiftRight(a vector, n uint8) vector {
	return d.compute(d.VPSRLQ, Imm(uint64(n)), a)
}

// compare compares a with b by a predicate such as less.
func (d avxDoubles) compare(predicate uint8, a, b vector) condition {
	return d.compareBy(d.VCMPPD, predicate, a, b)
}

// blend returns yes where the condition holds, and no elsewhere.
func (d avxDoubles) blend(c condition, yes, no vector) vector {
	if d.isAVX512 {
		return d.compute(d.VBLENDMPD, yes, no, c)
	}
	r := d.new()
	d.VBLENDVPD(c, yes, no, r)
	return r
}
