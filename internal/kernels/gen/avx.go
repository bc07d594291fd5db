package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx writes kernels for amd64, with vectors of 16 float32 with AVX-512 and of 8 with AVX2. A kernel that
// uses its methods is written once for both. It implements vectors.
type avx struct {
	*generator
	isAVX512 bool
}

// forEachISA calls write for AVX-512 and AVX2, with the suffix of function names.
func forEachISA(g *generator, write func(m avx, suffix string)) {
	write(avx{g, true}, "AVX512")
	write(avx{g, false}, "AVX2")
}

// bytes returns the size of a vector.
func (m avx) bytes() int {
	if m.isAVX512 {
		return 64
	}
	return 32
}

// new returns a new vector register.
func (m avx) new() reg.VecVirtual {
	if m.isAVX512 {
		return m.ZMM()
	}
	return m.YMM()
}

// load copies a vector to a new register.
func (m avx) load(from vector) vector {
	r := m.new()
	m.VMOVUPS(from, r)
	return r
}

// broadcast copies one number to all lanes of a new register.
func (m avx) broadcast(from Op) vector {
	r := m.new()
	m.VBROADCASTSS(from, r)
	return r
}

// broadcastArgument copies a float32 argument of the function to all lanes of a new register.
func (m avx) broadcastArgument(name string) vector {
	arg, err := m.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return m.broadcast(arg.Addr)
}

// compute returns a new register with the result of a vector instruction. Like all instructions of avo, it has its
// operands in the order of Go's assembler: the result a − b is compute(m.VSUBPS, b, a).
func (m avx) compute(instruction func(...Op), operands ...Op) vector {
	r := m.new()
	instruction(append(operands, r)...)
	return r
}

// The results are a + b, a − b, a·b, a/b, √a and the bitwise a & b, a | b and a ^ b.

func (m avx) add(a, b vector) vector { return m.compute(m.VADDPS, b, a) }
func (m avx) sub(a, b vector) vector { return m.compute(m.VSUBPS, b, a) }
func (m avx) mul(a, b vector) vector { return m.compute(m.VMULPS, b, a) }
func (m avx) div(a, b vector) vector { return m.compute(m.VDIVPS, b, a) }
func (m avx) sqrt(a vector) vector   { return m.compute(m.VSQRTPS, a) }
func (m avx) and(a, b vector) vector { return m.compute(m.VANDPS, b, a) }
func (m avx) or(a, b vector) vector  { return m.compute(m.VORPS, b, a) }
func (m avx) xor(a, b vector) vector { return m.compute(m.VXORPS, b, a) }

// Operations on 32-bit integers. shiftRight keeps the sign, shiftRightUnsigned fills in zeros.

func (m avx) addInt(a, b vector) vector           { return m.compute(m.VPADDD, b, a) }
func (m avx) subInt(a, b vector) vector           { return m.compute(m.VPSUBD, b, a) }
func (m avx) minInt(a, b vector) vector           { return m.compute(m.VPMINSD, b, a) }
func (m avx) shiftLeft(a vector, n uint8) vector  { return m.compute(m.VPSLLD, Imm(uint64(n)), a) }
func (m avx) shiftRight(a vector, n uint8) vector { return m.compute(m.VPSRAD, Imm(uint64(n)), a) }
func (m avx) shiftRightUnsigned(a vector, n uint8) vector {
	return m.compute(m.VPSRLD, Imm(uint64(n)), a)
}
func (m avx) toFloat(a vector) vector { return m.compute(m.VCVTDQ2PS, a) }

// min and max return the smaller and larger of a and b, and b if they are equal or either is NaN.

func (m avx) min(a, b vector) vector { return m.compute(m.VMINPS, b, a) }
func (m avx) max(a, b vector) vector { return m.compute(m.VMAXPS, b, a) }

// fma returns a·b + c, rounded once.
func (m avx) fma(a, b, c vector) vector {
	r := m.load(b)
	m.VFMADD213PS(c, a, r)
	return r
}

// polynomial returns c[0] + c[1]·x + c[2]·x² + …, by Horner's rule with fma.
func (m avx) polynomial(x vector, c ...float32) vector {
	n := len(c) - 1
	r := m.load(m.float(c[n]))
	for n--; n >= 0; n-- {
		m.VFMADD213PS(m.float(c[n]), x, r)
	}
	return r
}

// zero returns +0 in all lanes.
func (m avx) zero() vector {
	r := m.new()
	m.VXORPS(r, r, r)
	return r
}

// compare compares a with b by a predicate such as less.
func (m avx) compare(predicate uint8, a, b vector) condition {
	return m.compareBy(m.VCMPPS, predicate, a, b)
}

// compareBy compares a with b by an instruction and a predicate. The result is a mask register with AVX-512, and a
// vector with AVX2.
func (m avx) compareBy(instruction func(...Op), predicate uint8, a, b vector) condition {
	if m.isAVX512 {
		k := m.K()
		instruction(Imm(uint64(predicate)), b, a, k)
		return k
	}
	return m.compute(instruction, Imm(uint64(predicate)), b, a)
}

// blend returns yes where the condition holds, and no elsewhere.
func (m avx) blend(c condition, yes, no vector) vector {
	if m.isAVX512 {
		return m.compute(m.VBLENDMPS, yes, no, c)
	}
	r := m.new()
	m.VBLENDVPS(c, yes, no, r)
	return r
}

// zeroUnless returns x where the condition holds, and +0 elsewhere.
func (m avx) zeroUnless(c condition, x vector) vector {
	r := m.new()
	if m.isAVX512 {
		m.VMOVUPS_Z(x, c, r)
	} else {
		m.VANDPS(x, c, r)
	}
	return r
}

// address returns the address of the next vector of a stream (i = 0) or the one after it (i = 1).
func (m avx) address(s stream, i int) Mem {
	if s.step != nil && i == 1 {
		return indexedAddress(s.next, s.step, 1, 0)
	}
	return address(s.next, i*m.bytes())
}

// laneMask selects lanes of a vector; nil selects all.
type laneMask Op

// loadLanes loads the selected lanes of a vector; the others are 0.
func (m avx) loadLanes(from Mem, lanes laneMask) vector {
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
func (m avx) storeLanes(x vector, to Mem, lanes laneMask) {
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
func (m avx) firstLanes(n Op) laneMask {
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

// loop writes a loop over n numbers: turns of l.unroll vectors while there are as many numbers, then
// turns of one vector, then a turn for the lanes that remain. It changes n and the addresses of the
// streams.
func (m avx) loop(n Op, l vectorLoop) {
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
func (m avx) loopTurn(l vectorLoop, vectors int, lanes laneMask) {
	for i := range vectors {
		in := make([]vector, len(l.in))
		for j, s := range l.in {
			in[j] = m.loadLanes(m.address(s, i), lanes)
		}
		for j, result := range l.body(in) {
			m.storeLanes(result, m.address(l.out[j], i), lanes)
		}
	}
}

// advance moves each stream of a loop past a number of vectors, and a stream that is both read and
// written only once.
func (m avx) advance(l vectorLoop, vectors int) {
	moved := map[Op]bool{}
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

// argument loads an integer or pointer argument of the function into a new register.
func (m avx) argument(name string) Op { return m.Load(m.Param(name), m.GP64()) }

// place puts a label before the next instruction.
func (m avx) place(label string) { m.Label(label) }

// jumpIfZeroArgument jumps to a label if a float32 argument of the function is +0 or −0.
func (m avx) jumpIfZeroArgument(name, label string) {
	bits := m.GP32()
	argument, err := m.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	m.MOVL(argument.Addr, bits)
	m.SHLL(Imm(1), bits) // removes the sign of −0
	m.JEQ(LabelRef(label))
}

// jumpIfEqual jumps to a label if a general register has the value n.
func (m avx) jumpIfEqual(register Op, n int, label string) {
	m.CMPQ(register, Imm(uint64(n)))
	m.JEQ(LabelRef(label))
}

// operand returns an operand of the function as a stream. A single number, whose step is 0, is copied to
// all lanes of a vector on the stack, which the loop reads in every turn.
func (m avx) operand(name string) stream {
	from, step := m.GP64(), m.GP64()
	m.Load(m.Param(name), from)
	m.Load(m.Param(name+"Step"), step)
	many := m.label("many")
	m.TESTQ(step, step)
	m.JNE(LabelRef(many))
	repeated := m.AllocLocal(m.bytes())
	m.VMOVUPS(m.broadcast(address(from, 0)), repeated)
	m.LEAQ(repeated, from)
	m.Label(many)
	m.IMUL3Q(Imm(uint64(m.bytes())), step, step)
	return stream{next: from, step: step}
}

// copyRegister copies a general register to a new one.
func (m avx) copyRegister(r Op) reg.Register {
	c := m.GP64()
	m.MOVQ(r, c)
	return c
}

// writeReturn ends a function. VZEROUPPER avoids slow SSE instructions after it.
func (m avx) writeReturn() {
	m.VZEROUPPER()
	m.RET()
}
