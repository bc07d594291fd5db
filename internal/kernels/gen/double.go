package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// doubles writes arithmetic on vectors of float64, half as many as float32.
type doubles struct{ maths }

// inDouble is an operation that is computed in float64, in the lower half of a
// vector and in the upper one, and rounded.
func inDouble(f func(d doubles, x reg.Register) reg.Register) func(m maths, x []reg.Register) reg.Register {
	return func(m maths, x []reg.Register) reg.Register {
		d := doubles{m}
		low := d.narrow(f(d, d.widen(d.lower(x[0]))))
		high := d.narrow(f(d, d.widen(d.upper(x[0]))))
		r := m.new()
		if m.wide {
			m.VINSERTF64X4(Imm(1), high, wideAs(low), r)
		} else {
			m.VINSERTF128(Imm(1), high, low.(reg.Vec).AsY(), r)
		}
		return r
	}
}

func wideAs(r reg.Register) reg.Register { return r.(reg.Vec).AsZ() }

// half is a new register of half the size.
func (d doubles) half() reg.VecVirtual {
	if d.wide {
		return d.YMM()
	}
	return d.XMM()
}

func (d doubles) lower(x reg.Register) reg.Register {
	if d.wide {
		return x.(reg.Vec).AsY()
	}
	return x.(reg.Vec).AsX()
}

func (d doubles) upper(x reg.Register) reg.Register {
	r := d.half()
	if d.wide {
		d.VEXTRACTF64X4(Imm(1), x, r)
	} else {
		d.VEXTRACTF128(Imm(1), x, r)
	}
	return r
}

func (d doubles) widen(x reg.Register) reg.Register { r := d.new(); d.VCVTPS2PD(x, r); return r }

func (d doubles) narrow(x reg.Register) reg.Register {
	r := d.half()
	if d.wide {
		d.VCVTPD2PS(x, r)
	} else {
		d.VCVTPD2PSY(x, r)
	}
	return r
}

// bits is the address of 64 bytes that repeat the given word.
func (d doubles) bits(word uint64) Mem {
	name, ok := d.doubles[word]
	if !ok {
		name = fmt.Sprintf("%s_%016x", d.name, word)
		d.doubles[word] = name
		d.StaticGlobal(name)
		d.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range 8 {
			d.AddDatum(8*i, U64(word))
		}
	}
	return NewDataAddr(NewStaticSymbol(name), 0)
}

func (d doubles) float(x float64) Mem { return d.bits(math.Float64bits(x)) }

func (d doubles) add(a reg.Register, b Op) reg.Register  { r := d.new(); d.VADDPD(b, a, r); return r }
func (d doubles) sub(a reg.Register, b Op) reg.Register  { r := d.new(); d.VSUBPD(b, a, r); return r }
func (d doubles) mul(a reg.Register, b Op) reg.Register  { r := d.new(); d.VMULPD(b, a, r); return r }
func (d doubles) div(a reg.Register, b Op) reg.Register  { r := d.new(); d.VDIVPD(b, a, r); return r }
func (d doubles) addi(a reg.Register, b Op) reg.Register { r := d.new(); d.VPADDQ(b, a, r); return r }
func (d doubles) subi(a reg.Register, b Op) reg.Register { r := d.new(); d.VPSUBQ(b, a, r); return r }

func (d doubles) shiftLeft(a reg.Register, n uint8) reg.Register {
	r := d.new()
	d.VPSLLQ(Imm(uint64(n)), a, r)
	return r
}

// shiftRight brings zeros in.
func (d doubles) shiftRight(a reg.Register, n uint8) reg.Register {
	r := d.new()
	d.VPSRLQ(Imm(uint64(n)), a, r)
	return r
}

// min is b where either is NaN.
func (d doubles) min(a reg.Register, b Op) reg.Register { r := d.new(); d.VMINPD(b, a, r); return r }

func (d doubles) neg(a reg.Register) reg.Register { return d.xor(a, d.bits(1<<63)) }

func (d doubles) compare(predicate uint8, a reg.Register, b Op) condition {
	if d.wide {
		k := d.K()
		d.VCMPPD(Imm(uint64(predicate)), b, a, k)
		return k
	}
	r := d.YMM()
	d.VCMPPD(Imm(uint64(predicate)), b, a, r)
	return r
}

// pick is yes where the condition holds, no elsewhere.
func (d doubles) pick(c condition, yes Op, no reg.Register) reg.Register {
	r := d.new()
	if d.wide {
		d.VBLENDMPD(yes, no, c, r)
	} else {
		d.VBLENDVPD(c, yes, no, r)
	}
	return r
}

// horner is c[0] + c[1]·x + c[2]·x² + …, every product rounded.
func (d doubles) horner(x reg.Register, c []float64) reg.Register {
	y := d.load(d.float(c[len(c)-1]))
	for i := len(c) - 2; i >= 0; i-- {
		y = d.add(d.mul(x, y), d.float(c[i]))
	}
	return y
}
