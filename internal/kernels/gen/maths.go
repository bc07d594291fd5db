package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maths writes arithmetic on vectors of float32, of 16 lanes with AVX-512 or
// 8 with AVX2, so that a kernel is written once for both. Its methods return
// new registers and leave operands alone. An operand named m may be memory.
type maths struct {
	*gen
	wide bool
}

// condition is a comparison's result: a mask register with AVX-512, lanes of
// ones or zeros with AVX2.
type condition reg.Register

// signBit is the word of −0.
const signBit = 0x80000000

// abs clears the signs.
func (m maths) abs(a reg.Register) reg.Register { return m.and(a, m.constant(signBit-1)) }

// both runs write once for each instruction set, with the suffix of its
// functions' names.
func both(g *gen, write func(m maths, suffix string)) {
	write(maths{g, true}, "AVX512")
	write(maths{g, false}, "AVX2")
}

// bytes is the size of a vector.
func (m maths) bytes() int {
	if m.wide {
		return 64
	}
	return 32
}

func (m maths) new() reg.VecVirtual {
	if m.wide {
		return m.ZMM()
	}
	return m.YMM()
}

func (m maths) load(from Op) reg.Register {
	r := m.new()
	m.VMOVUPS(from, r)
	return r
}

func (m maths) broadcast(from Op) reg.Register {
	r := m.new()
	m.VBROADCASTSS(from, r)
	return r
}

// argument broadcasts a float32 argument of the function.
func (m maths) argument(name string) reg.Register {
	arg, err := m.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.broadcast(arg.Addr)
}

func (m maths) add(a reg.Register, b Op) reg.Register  { r := m.new(); m.VADDPS(b, a, r); return r }
func (m maths) sub(a reg.Register, b Op) reg.Register  { r := m.new(); m.VSUBPS(b, a, r); return r }
func (m maths) mul(a reg.Register, b Op) reg.Register  { r := m.new(); m.VMULPS(b, a, r); return r }
func (m maths) div(a reg.Register, b Op) reg.Register  { r := m.new(); m.VDIVPS(b, a, r); return r }
func (m maths) sqrt(a Op) reg.Register                 { r := m.new(); m.VSQRTPS(a, r); return r }
func (m maths) and(a reg.Register, b Op) reg.Register  { r := m.new(); m.VANDPS(b, a, r); return r }
func (m maths) or(a reg.Register, b Op) reg.Register   { r := m.new(); m.VORPS(b, a, r); return r }
func (m maths) xor(a reg.Register, b Op) reg.Register  { r := m.new(); m.VXORPS(b, a, r); return r }
func (m maths) addi(a reg.Register, b Op) reg.Register { r := m.new(); m.VPADDD(b, a, r); return r }
func (m maths) subi(a reg.Register, b Op) reg.Register { r := m.new(); m.VPSUBD(b, a, r); return r }
func (m maths) mini(a reg.Register, b Op) reg.Register { r := m.new(); m.VPMINSD(b, a, r); return r }

func (m maths) shiftLeft(a reg.Register, n uint8) reg.Register {
	r := m.new()
	m.VPSLLD(Imm(uint64(n)), a, r)
	return r
}

// shiftRight keeps the sign.
func (m maths) shiftRight(a reg.Register, n uint8) reg.Register {
	r := m.new()
	m.VPSRAD(Imm(uint64(n)), a, r)
	return r
}

// toFloat converts integers.
func (m maths) toFloat(a reg.Register) reg.Register { r := m.new(); m.VCVTDQ2PS(a, r); return r }

// min is a < b ? a : b, and max is a > b ? a : b: b where either is NaN.
func (m maths) min(a reg.Register, b Op) reg.Register { r := m.new(); m.VMINPS(b, a, r); return r }
func (m maths) max(a reg.Register, b Op) reg.Register { r := m.new(); m.VMAXPS(b, a, r); return r }

// fma is a·b + c.
func (m maths) fma(a reg.Register, b, c Op) reg.Register {
	r := m.load(b)
	m.VFMADD213PS(c, a, r)
	return r
}

// poly is c[0] + c[1]·x + c[2]·x² + …, by Horner's rule in fma.
func (m maths) poly(x reg.Register, c ...float32) reg.Register {
	n := len(c) - 1
	r := m.load(m.float(c[n]))
	for n--; n >= 0; n-- {
		m.VFMADD213PS(m.float(c[n]), x, r)
	}
	return r
}

// zero is +0 in all lanes.
func (m maths) zero() reg.Register {
	r := m.new()
	m.VXORPS(r, r, r)
	return r
}

// Predicates of compare: false for NaN, except notEqual and notLess.
const (
	equal          = 0x00
	less           = 0x11
	lessOrEqual    = 0x12
	unordered      = 0x03
	notEqual       = 0x04
	notLess        = 0x15
	greaterOrEqual = 0x1D
	greater        = 0x1E
	unequal        = 0x0C // false for NaN
)

func (m maths) compare(predicate uint8, a reg.Register, b Op) condition {
	if m.wide {
		k := m.K()
		m.VCMPPS(Imm(uint64(predicate)), b, a, k)
		return k
	}
	r := m.YMM()
	m.VCMPPS(Imm(uint64(predicate)), b, a, r)
	return r
}

// pick is yes where the condition holds, no elsewhere.
func (m maths) pick(c condition, yes Op, no reg.Register) reg.Register {
	r := m.new()
	if m.wide {
		m.VBLENDMPS(yes, no, c, r)
	} else {
		m.VBLENDVPS(c, yes, no, r)
	}
	return r
}

// keep is x where the condition holds, +0 elsewhere.
func (m maths) keep(c condition, x Op) reg.Register {
	r := m.new()
	if m.wide {
		m.VMOVUPS_Z(x, c, r)
	} else {
		m.VANDPS(x, c, r)
	}
	return r
}

// stream is a slice that a loop walks: an address, and the distance between
// vectors in bytes where that is not a vector's size.
type stream struct{ at, step reg.Register }

// vector is the address of the i-th vector from here, i < 2.
func (m maths) vector(s stream, i int) Mem {
	if s.step != nil && i == 1 {
		return at(s.at, s.step, 1, 0)
	}
	return mem(s.at, i*m.bytes())
}

// selection says which lanes of a vector exist; nil is all.
type selection reg.Register

func (m maths) loadSome(from Mem, some selection) reg.Register {
	r := m.new()
	switch {
	case some == nil:
		m.VMOVUPS(from, r)
	case m.wide:
		m.VMOVUPS_Z(from, some, r)
	default:
		m.VMASKMOVPS(from, some, r)
	}
	return r
}

func (m maths) storeSome(x reg.Register, to Mem, some selection) {
	switch {
	case some == nil:
		m.VMOVUPS(x, to)
	case m.wide:
		m.VMOVUPS(x, some, to)
	default:
		m.VMASKMOVPS(x, some, to)
	}
}

// selectFirst selects the first n lanes, at most all.
func (m maths) selectFirst(n reg.Register) selection {
	if !m.wide {
		mask := m.YMM()
		m.window(mask, n)
		return mask
	}
	bits, k := m.GP32(), m.K()
	m.MOVL(U32(0xFFFFFFFF), bits)
	m.BZHIL(n.(reg.GP).As32(), bits, bits)
	m.KMOVW(bits, k)
	return k
}

// loop writes body for n numbers of the in streams, whose results go to the
// out streams. It changes n and the addresses. A stream may be in both lists.
// unroll is the number of vectors in a turn of the loop, 1 or 2.
func (m maths) loop(n reg.Register, out, in []stream, unroll int, body func(x []reg.Register) []reg.Register) {
	turn := func(vectors int, some selection) {
		for i := range vectors {
			x := make([]reg.Register, len(in))
			for j, s := range in {
				x[j] = m.loadSome(m.vector(s, i), some)
			}
			for j, y := range body(x) {
				m.storeSome(y, m.vector(out[j], i), some)
			}
		}
		if some != nil && !m.wide {
			return
		}
		moved := map[reg.Register]bool{}
		for _, s := range append(append([]stream{}, out...), in...) {
			if moved[s.at] {
				continue
			}
			moved[s.at] = true
			if s.step == nil {
				m.ADDQ(U32(vectors*m.bytes()), s.at)
			} else {
				m.LEAQ(at(s.at, s.step, uint8(vectors), 0), s.at)
			}
		}
	}
	lanes := m.bytes() / 4
	done := m.label("done")
	for u := unroll; u > 0; u-- {
		if u == 1 && unroll == 2 && m.wide {
			break // the tail below takes a whole vector too
		}
		again, under := m.label("vectors"), m.label("under")
		m.CMPQ(n, Imm(uint64(u*lanes)))
		m.JLT(LabelRef(under))
		m.Label(again)
		turn(u, nil)
		m.SUBQ(Imm(uint64(u*lanes)), n)
		m.CMPQ(n, Imm(uint64(u*lanes)))
		m.JGE(LabelRef(again))
		m.Label(under)
	}
	tail := m.label("tail")
	m.Label(tail)
	m.TESTQ(n, n)
	m.JLE(LabelRef(done))
	turn(1, m.selectFirst(n))
	if m.wide {
		m.SUBQ(Imm(uint64(lanes)), n)
		m.JMP(LabelRef(tail))
	}
	m.Label(done)
}

// finish ends a function.
func (m maths) finish() {
	m.VZEROUPPER()
	m.RET()
}
