package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// doubles writes arithmetic on vectors of float64, with half as many lanes as vectors of float32. Its
// methods return new registers and do not change operands.
type doubles interface {
	load(from vector) vector
	bits(word uint64) vector // copies of the word
	float(x float64) vector  // copies of x

	add(a, b vector) vector
	sub(a, b vector) vector
	mul(a, b vector) vector
	div(a, b vector) vector
	min(a, b vector) vector // the smaller number, or b if either is NaN
	and(a, b vector) vector
	or(a, b vector) vector
	xor(a, b vector) vector

	addInt(a, b vector) vector
	subInt(a, b vector) vector
	shiftLeft(a vector, n uint8) vector  // by n bits
	shiftRight(a vector, n uint8) vector // by n bits; fills in zeros

	compare(predicate uint8, a, b vector) condition // by a predicate such as less
	blend(c condition, yes, no vector) vector       // yes where the condition holds, no elsewhere

	lowerToDouble(x vector) vector // converts the lower half of a vector of float32
	upperToDouble(x vector) vector // converts the upper half of a vector of float32
	toSingle(x vector) vector      // converts float64 to float32, in half a vector
	join(low, high vector) vector  // puts two halves of a vector together
}

// doubleMath writes functions of vectors of float64, once for all instruction sets.
type doubleMath struct{ doubles }

// roundResult returns the float32 operation that computes f in float64, for the lower and the upper
// half of a vector one after the other, and rounds the results.
func roundResult(f func(d doubleMath, x vector) vector) func(m vectorMath, x []vector) vector {
	return func(m vectorMath, x []vector) vector {
		d := m.doubles()
		low := d.toSingle(f(d, d.lowerToDouble(x[0])))
		high := d.toSingle(f(d, d.upperToDouble(x[0])))
		return d.join(low, high)
	}
}

// neg returns −a.
func (d doubleMath) neg(a vector) vector { return d.xor(a, d.bits(1<<63)) }

// horner returns c[0] + c[1]·x + c[2]·x² + …, with every product rounded.
func (d doubleMath) horner(x vector, c []float64) vector {
	y := d.load(d.float(c[len(c)-1]))
	for i := len(c) - 2; i >= 0; i-- {
		y = d.add(d.mul(x, y), d.float(c[i]))
	}
	return y
}

// avxDoubles writes arithmetic on vectors of float64 for amd64.
type avxDoubles struct{ avx }

// doubles returns arithmetic on vectors of float64.
func (m avx) doubles() doubleMath { return doubleMath{avxDoubles{m}} }

// zmmOf returns the 512-bit register of which r is a part.
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

// toDouble converts float32 to float64.
func (d avxDoubles) toDouble(x vector) vector {
	r := d.new()
	d.VCVTPS2PD(x, r)
	return r
}

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
	name, ok := d.doubleConstants[word]
	if !ok {
		name = fmt.Sprintf("%s_%016x", d.name, word)
		d.doubleConstants[word] = name
		d.StaticGlobal(name)
		d.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range 8 {
			d.AddDatum(8*i, U64(word))
		}
	}
	return NewDataAddr(NewStaticSymbol(name), 0)
}

// float returns the address of a vector of copies of x.
func (d avxDoubles) float(x float64) vector { return d.bits(math.Float64bits(x)) }

// The results are a + b, a − b, a·b and a/b; addInt and subInt add and subtract integers.

func (d avxDoubles) add(a, b vector) vector { r := d.new(); d.VADDPD(b, a, r); return r }
func (d avxDoubles) sub(a, b vector) vector { r := d.new(); d.VSUBPD(b, a, r); return r }
func (d avxDoubles) mul(a, b vector) vector { r := d.new(); d.VMULPD(b, a, r); return r }
func (d avxDoubles) div(a, b vector) vector { r := d.new(); d.VDIVPD(b, a, r); return r }
func (d avxDoubles) addInt(a, b vector) vector {
	r := d.new()
	d.VPADDQ(b, a, r)
	return r
}
func (d avxDoubles) subInt(a, b vector) vector {
	r := d.new()
	d.VPSUBQ(b, a, r)
	return r
}

// shiftLeft shifts integers left by n bits.
func (d avxDoubles) shiftLeft(a vector, n uint8) vector {
	r := d.new()
	d.VPSLLQ(Imm(uint64(n)), a, r)
	return r
}

// shiftRight shifts integers right by n bits and fills in zeros.
func (d avxDoubles) shiftRight(a vector, n uint8) vector {
	r := d.new()
	d.VPSRLQ(Imm(uint64(n)), a, r)
	return r
}

// min returns the smaller of a and b, and b if either is NaN.
func (d avxDoubles) min(a, b vector) vector { r := d.new(); d.VMINPD(b, a, r); return r }

// compare compares a with b by a predicate such as less.
func (d avxDoubles) compare(predicate uint8, a, b vector) condition {
	if d.isAVX512 {
		k := d.K()
		d.VCMPPD(Imm(uint64(predicate)), b, a, k)
		return k
	}
	r := d.YMM()
	d.VCMPPD(Imm(uint64(predicate)), b, a, r)
	return r
}

// blend returns yes where the condition holds, and no elsewhere.
func (d avxDoubles) blend(c condition, yes, no vector) vector {
	r := d.new()
	if d.isAVX512 {
		d.VBLENDMPD(yes, no, c, r)
	} else {
		d.VBLENDVPD(c, yes, no, r)
	}
	return r
}
