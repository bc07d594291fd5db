package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectorMath writes arithmetic on vectors of float32: 16 lanes with AVX-512, 8 with AVX2. A kernel
// that uses its methods is written once for both. The methods return new registers and do not
// change operands. An operand of type Op may be in memory.
type vectorMath struct {
	*generator
	isAVX512 bool
}

// condition is the result of a comparison: a mask register with AVX-512, lanes of ones or zeros with
// AVX2.
type condition reg.Register

// signBit are the bits of −0.
const signBit = 0x80000000

// abs returns |a|.
func (m vectorMath) abs(a reg.Register) reg.Register { return m.and(a, m.constant(signBit-1)) }

// forEachISA calls write for AVX-512 and AVX2, with the suffix of function names.
func forEachISA(g *generator, write func(m vectorMath, suffix string)) {
	write(vectorMath{g, true}, "AVX512")
	write(vectorMath{g, false}, "AVX2")
}

// bytes returns the size of a vector.
func (m vectorMath) bytes() int {
	if m.isAVX512 {
		return 64
	}
	return 32
}

// new returns a new vector register.
func (m vectorMath) new() reg.VecVirtual {
	if m.isAVX512 {
		return m.ZMM()
	}
	return m.YMM()
}

// load copies a vector to a new register.
func (m vectorMath) load(from Op) reg.Register {
	r := m.new()
	m.VMOVUPS(from, r)
	return r
}

// broadcast copies one number to all lanes of a new register.
func (m vectorMath) broadcast(from Op) reg.Register {
	r := m.new()
	m.VBROADCASTSS(from, r)
	return r
}

// broadcastArgument copies a float32 argument of the function to all lanes of a new register.
func (m vectorMath) broadcastArgument(name string) reg.Register {
	arg, err := m.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.broadcast(arg.Addr)
}

// The results are a + b, a − b, a·b, a/b, √a and the bitwise a & b, a | b and a ^ b. addInt, subInt
// and minInt compute with signed integers.

func (m vectorMath) add(a reg.Register, b Op) reg.Register { r := m.new(); m.VADDPS(b, a, r); return r }
func (m vectorMath) sub(a reg.Register, b Op) reg.Register { r := m.new(); m.VSUBPS(b, a, r); return r }
func (m vectorMath) mul(a reg.Register, b Op) reg.Register { r := m.new(); m.VMULPS(b, a, r); return r }
func (m vectorMath) div(a reg.Register, b Op) reg.Register { r := m.new(); m.VDIVPS(b, a, r); return r }
func (m vectorMath) sqrt(a Op) reg.Register                { r := m.new(); m.VSQRTPS(a, r); return r }
func (m vectorMath) and(a reg.Register, b Op) reg.Register { r := m.new(); m.VANDPS(b, a, r); return r }
func (m vectorMath) or(a reg.Register, b Op) reg.Register  { r := m.new(); m.VORPS(b, a, r); return r }
func (m vectorMath) xor(a reg.Register, b Op) reg.Register { r := m.new(); m.VXORPS(b, a, r); return r }
func (m vectorMath) addInt(a reg.Register, b Op) reg.Register {
	r := m.new()
	m.VPADDD(b, a, r)
	return r
}
func (m vectorMath) subInt(a reg.Register, b Op) reg.Register {
	r := m.new()
	m.VPSUBD(b, a, r)
	return r
}
func (m vectorMath) minInt(a reg.Register, b Op) reg.Register {
	r := m.new()
	m.VPMINSD(b, a, r)
	return r
}

// shiftLeft shifts integers left by n bits.
func (m vectorMath) shiftLeft(a reg.Register, n uint8) reg.Register {
	r := m.new()
	m.VPSLLD(Imm(uint64(n)), a, r)
	return r
}

// shiftRight shifts integers right by n bits and keeps the sign.
func (m vectorMath) shiftRight(a reg.Register, n uint8) reg.Register {
	r := m.new()
	m.VPSRAD(Imm(uint64(n)), a, r)
	return r
}

// toFloat converts integers to float32.
func (m vectorMath) toFloat(a reg.Register) reg.Register {
	r := m.new()
	m.VCVTDQ2PS(a, r)
	return r
}

// min and max return the smaller and larger of a and b, and b if they are equal or either is NaN.

func (m vectorMath) min(a reg.Register, b Op) reg.Register { r := m.new(); m.VMINPS(b, a, r); return r }
func (m vectorMath) max(a reg.Register, b Op) reg.Register { r := m.new(); m.VMAXPS(b, a, r); return r }

// fma returns a·b + c, rounded once.
func (m vectorMath) fma(a reg.Register, b, c Op) reg.Register {
	r := m.load(b)
	m.VFMADD213PS(c, a, r)
	return r
}

// polynomial returns c[0] + c[1]·x + c[2]·x² + …, by Horner's rule with fma.
func (m vectorMath) polynomial(x reg.Register, c ...float32) reg.Register {
	n := len(c) - 1
	r := m.load(m.float(c[n]))
	for n--; n >= 0; n-- {
		m.VFMADD213PS(m.float(c[n]), x, r)
	}
	return r
}

// zero returns +0 in all lanes.
func (m vectorMath) zero() reg.Register {
	r := m.new()
	m.VXORPS(r, r, r)
	return r
}

// Predicates of compare, as VCMPPS encodes them. They are false for NaN, except unordered, notEqual
// and notLess.
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

// compare compares a with b by a predicate such as less.
func (m vectorMath) compare(predicate uint8, a reg.Register, b Op) condition {
	if m.isAVX512 {
		k := m.K()
		m.VCMPPS(Imm(uint64(predicate)), b, a, k)
		return k
	}
	r := m.YMM()
	m.VCMPPS(Imm(uint64(predicate)), b, a, r)
	return r
}

// blend returns yes where the condition holds, and no elsewhere.
func (m vectorMath) blend(c condition, yes Op, no reg.Register) reg.Register {
	r := m.new()
	if m.isAVX512 {
		m.VBLENDMPS(yes, no, c, r)
	} else {
		m.VBLENDVPS(c, yes, no, r)
	}
	return r
}

// zeroUnless returns x where the condition holds, and +0 elsewhere.
func (m vectorMath) zeroUnless(c condition, x Op) reg.Register {
	r := m.new()
	if m.isAVX512 {
		m.VMOVUPS_Z(x, c, r)
	} else {
		m.VANDPS(x, c, r)
	}
	return r
}

// stream is a slice that a loop reads or writes vector by vector.
type stream struct {
	next reg.Register // address of the next vector
	step reg.Register // distance between vectors in bytes; nil for the size of a vector
}

// vector returns the address of the next vector of a stream (i = 0) or the one after it (i = 1).
func (m vectorMath) vector(s stream, i int) Mem {
	if s.step != nil && i == 1 {
		return indexedAddress(s.next, s.step, 1, 0)
	}
	return address(s.next, i*m.bytes())
}

// laneMask selects lanes of a vector; nil selects all.
type laneMask reg.Register

// loadLanes loads the selected lanes of a vector; the others are 0.
func (m vectorMath) loadLanes(from Mem, lanes laneMask) reg.Register {
	r := m.new()
	switch {
	case lanes == nil:
		m.VMOVUPS(from, r)
	case m.isAVX512:
		m.VMOVUPS_Z(from, lanes, r)
	default:
		m.VMASKMOVPS(from, lanes, r)
	}
	return r
}

// storeLanes stores the selected lanes of a vector.
func (m vectorMath) storeLanes(x reg.Register, to Mem, lanes laneMask) {
	switch {
	case lanes == nil:
		m.VMOVUPS(x, to)
	case m.isAVX512:
		m.VMOVUPS(x, lanes, to)
	default:
		m.VMASKMOVPS(x, lanes, to)
	}
}

// firstLanes returns a mask of the first n lanes, or with AVX-512 of all lanes if there are fewer.
func (m vectorMath) firstLanes(n reg.Register) laneMask {
	if !m.isAVX512 {
		mask := m.YMM()
		m.setLaneMask(mask, n)
		return mask
	}
	bits, k := m.GP32(), m.K()
	m.MOVL(U32(0xFFFFFFFF), bits)
	m.BZHIL(n.(reg.GP).As32(), bits, bits)
	m.KMOVW(bits, k)
	return k
}

// vectorLoop is a loop over slices of numbers, which reads and writes vectors.
type vectorLoop struct {
	in, out []stream // a stream may be in both

	// body writes the instructions that compute the vectors of the out streams from those of the in
	// streams.
	body func(in []reg.Register) (out []reg.Register)

	unroll int // vectors of each stream per turn of the loop: 1 or 2
}

// loop writes a loop over n numbers: turns of l.unroll vectors while there are as many numbers, then
// turns of one vector, then a turn for the lanes that remain. It changes n and the addresses of the
// streams.
func (m vectorMath) loop(n reg.Register, l vectorLoop) {
	lanes := m.bytes() / 4
	done := m.label("done")
	for vectors := l.unroll; vectors > 0; vectors-- {
		if vectors == 1 && l.unroll == 2 && m.isAVX512 {
			break // the masked turn below also does a whole vector
		}
		again := m.label("vectors")
		under := m.label("under")
		m.CMPQ(n, Imm(uint64(vectors*lanes)))
		m.JLT(LabelRef(under))
		m.Label(again)
		m.loopTurn(l, vectors, nil)
		m.advance(l, vectors)
		m.SUBQ(Imm(uint64(vectors*lanes)), n)
		m.CMPQ(n, Imm(uint64(vectors*lanes)))
		m.JGE(LabelRef(again))
		m.Label(under)
	}
	tail := m.label("tail")
	m.Label(tail)
	m.TESTQ(n, n)
	m.JLE(LabelRef(done))
	m.loopTurn(l, 1, m.firstLanes(n))
	if m.isAVX512 { // up to two turns: see above
		m.advance(l, 1)
		m.SUBQ(Imm(uint64(lanes)), n)
		m.JMP(LabelRef(tail))
	}
	m.Label(done)
}

// loopTurn writes the body of a loop for the selected lanes of one or two vectors.
func (m vectorMath) loopTurn(l vectorLoop, vectors int, lanes laneMask) {
	for i := range vectors {
		in := make([]reg.Register, len(l.in))
		for j, s := range l.in {
			in[j] = m.loadLanes(m.vector(s, i), lanes)
		}
		for j, result := range l.body(in) {
			m.storeLanes(result, m.vector(l.out[j], i), lanes)
		}
	}
}

// advance moves each stream of a loop past a number of vectors, and a stream that is both read and
// written only once.
func (m vectorMath) advance(l vectorLoop, vectors int) {
	moved := map[reg.Register]bool{}
	for _, s := range append(append([]stream{}, l.out...), l.in...) {
		if moved[s.next] {
			continue
		}
		moved[s.next] = true
		if s.step == nil {
			m.ADDQ(U32(vectors*m.bytes()), s.next)
		} else {
			m.LEAQ(indexedAddress(s.next, s.step, uint8(vectors), 0), s.next)
		}
	}
}

// writeReturn ends a function. VZEROUPPER avoids slow SSE instructions after it.
func (m vectorMath) writeReturn() {
	m.VZEROUPPER()
	m.RET()
}
