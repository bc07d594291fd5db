package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// doubleMath writes arithmetic on vectors of float64, with half as many lanes as vectorMath. Its
// methods return new registers and do not change operands.
type doubleMath struct{ vectorMath }

// roundResult returns the float32 operation that computes f in float64, for the lower and the upper
// half of a vector one after the other, and rounds the results.
func roundResult(f func(d doubleMath, x reg.Register) reg.Register) func(m vectorMath, x []reg.Register) reg.Register {
	return func(m vectorMath, x []reg.Register) reg.Register {
		d := doubleMath{m}
		low := d.toSingle(f(d, d.toDouble(d.lower(x[0]))))
		high := d.toSingle(f(d, d.toDouble(d.upper(x[0]))))
		r := m.new()
		if m.isAVX512 {
			m.VINSERTF64X4(Imm(1), high, zmmOf(low), r)
		} else {
			m.VINSERTF128(Imm(1), high, low.(reg.Vec).AsY(), r)
		}
		return r
	}
}

// zmmOf returns the 512-bit register of which r is a part.
func zmmOf(r reg.Register) reg.Register { return r.(reg.Vec).AsZ() }

// newHalf returns a new register of half the vector size.
func (d doubleMath) newHalf() reg.VecVirtual {
	if d.isAVX512 {
		return d.YMM()
	}
	return d.XMM()
}

// lower returns the lower half of x, which is a register by itself.
func (d doubleMath) lower(x reg.Register) reg.Register {
	if d.isAVX512 {
		return x.(reg.Vec).AsY()
	}
	return x.(reg.Vec).AsX()
}

// upper returns a copy of the upper half of x.
func (d doubleMath) upper(x reg.Register) reg.Register {
	r := d.newHalf()
	if d.isAVX512 {
		d.VEXTRACTF64X4(Imm(1), x, r)
	} else {
		d.VEXTRACTF128(Imm(1), x, r)
	}
	return r
}

// toDouble converts float32 to float64.
func (d doubleMath) toDouble(x reg.Register) reg.Register {
	r := d.new()
	d.VCVTPS2PD(x, r)
	return r
}

// toSingle converts float64 to float32.
func (d doubleMath) toSingle(x reg.Register) reg.Register {
	r := d.newHalf()
	if d.isAVX512 {
		d.VCVTPD2PS(x, r)
	} else {
		d.VCVTPD2PSY(x, r)
	}
	return r
}

// bits returns the address of a vector of copies of a 64-bit word.
func (d doubleMath) bits(word uint64) Mem {
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
func (d doubleMath) float(x float64) Mem { return d.bits(math.Float64bits(x)) }

// The results are a + b, a − b, a·b and a/b; addInt and subInt add and subtract integers.

func (d doubleMath) add(a reg.Register, b Op) reg.Register { r := d.new(); d.VADDPD(b, a, r); return r }
func (d doubleMath) sub(a reg.Register, b Op) reg.Register { r := d.new(); d.VSUBPD(b, a, r); return r }
func (d doubleMath) mul(a reg.Register, b Op) reg.Register { r := d.new(); d.VMULPD(b, a, r); return r }
func (d doubleMath) div(a reg.Register, b Op) reg.Register { r := d.new(); d.VDIVPD(b, a, r); return r }
func (d doubleMath) addInt(a reg.Register, b Op) reg.Register {
	r := d.new()
	d.VPADDQ(b, a, r)
	return r
}
func (d doubleMath) subInt(a reg.Register, b Op) reg.Register {
	r := d.new()
	d.VPSUBQ(b, a, r)
	return r
}

// shiftLeft shifts integers left by n bits.
func (d doubleMath) shiftLeft(a reg.Register, n uint8) reg.Register {
	r := d.new()
	d.VPSLLQ(Imm(uint64(n)), a, r)
	return r
}

// shiftRight shifts integers right by n bits and fills in zeros.
func (d doubleMath) shiftRight(a reg.Register, n uint8) reg.Register {
	r := d.new()
	d.VPSRLQ(Imm(uint64(n)), a, r)
	return r
}

// min returns the smaller of a and b, and b if either is NaN.
func (d doubleMath) min(a reg.Register, b Op) reg.Register { r := d.new(); d.VMINPD(b, a, r); return r }

// neg returns −a.
func (d doubleMath) neg(a reg.Register) reg.Register { return d.xor(a, d.bits(1<<63)) }

// compare compares a with b by a predicate such as less.
func (d doubleMath) compare(predicate uint8, a reg.Register, b Op) condition {
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
func (d doubleMath) blend(c condition, yes Op, no reg.Register) reg.Register {
	r := d.new()
	if d.isAVX512 {
		d.VBLENDMPD(yes, no, c, r)
	} else {
		d.VBLENDVPD(c, yes, no, r)
	}
	return r
}

// horner returns c[0] + c[1]·x + c[2]·x² + …, with every product rounded.
func (d doubleMath) horner(x reg.Register, c []float64) reg.Register {
	y := d.load(d.float(c[len(c)-1]))
	for i := len(c) - 2; i >= 0; i-- {
		y = d.add(d.mul(x, y), d.float(c[i]))
	}
	return y
}
