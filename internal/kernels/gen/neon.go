package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/operand"
)

// neonSuffix ends the names of functions for arm64.
const neonSuffix = "NEON"

// vectorBytes is the size of a vector of arm64.
const vectorBytes = 16

// neon writes kernels for arm64, with vectors of four float32. It implements vectors.
type neon struct{ *assembler }

// newNEON returns a writer of kernels to an assembly file.
func newNEON(a *assembler) neon { return neon{a} }

// neonConstant is a constant, which becomes a register where an instruction needs one.
type neonConstant struct{ vectorConstant }

// Asm describes the constant; no instruction contains it.
func (c neonConstant) Asm() string { return fmt.Sprintf("%#x%016x", c.high, c.low) }

// neonCondition is the result of a comparison: lanes of ones where it holds, or where it does not if
// isInverse is set.
type neonCondition struct {
	vec
	isInverse bool
}

// register returns the register of a vector. It must not be written to.
func (m neon) register(x vector) vec {
	if c, isConstant := x.(neonConstant); isConstant {
		return m.constantVector(c.vectorConstant)
	}
	return x.(vec)
}

// copyOf returns a new register with a vector, which may be written to.
func (m neon) copyOf(x vector) vec {
	r := m.newVector()
	if c, isConstant := x.(neonConstant); isConstant {
		m.loadConstant(c.vectorConstant, r)
	} else {
		m.vector("mov", r, x.(vec))
	}
	return r
}

// compute returns a new register with the result of a vector instruction.
func (m neon) compute(name string, operands ...vector) vec {
	registers := make([]vec, len(operands))
	for i, x := range operands {
		registers[i] = m.register(x)
	}
	r := m.newVector()
	m.vector(name, r, registers...)
	return r
}

// update returns a new register with the result of a vector instruction that also reads its destination, whose
// value is then x.
func (m neon) update(name string, x vector, operands ...vector) vec {
	registers := make([]vec, len(operands))
	for i, o := range operands {
		registers[i] = m.register(o)
	}
	r := m.copyOf(x)
	m.vector(name, r, registers...)
	return r
}

// load returns the vector itself, since no method changes its operands.
func (m neon) load(from vector) vector { return from }

// constant returns a vector of copies of a 32-bit word.
func (m neon) constant(word uint32) vector {
	twice := uint64(word)<<32 | uint64(word)
	return neonConstant{vectorConstant{twice, twice}}
}

// float returns a vector of copies of x.
func (m neon) float(x float32) vector { return m.constant(math.Float32bits(x)) }

// zero returns +0 in all lanes.
func (m neon) zero() vector { return m.constant(0) }

func (m neon) add(a, b vector) vector    { return m.compute("fadd.4s", a, b) }
func (m neon) sub(a, b vector) vector    { return m.compute("fsub.4s", a, b) }
func (m neon) mul(a, b vector) vector    { return m.compute("fmul.4s", a, b) }
func (m neon) div(a, b vector) vector    { return m.compute("fdiv.4s", a, b) }
func (m neon) sqrt(a vector) vector      { return m.compute("fsqrt.4s", a) }
func (m neon) and(a, b vector) vector    { return m.compute("and", a, b) }
func (m neon) or(a, b vector) vector     { return m.compute("orr", a, b) }
func (m neon) xor(a, b vector) vector    { return m.compute("eor", a, b) }
func (m neon) addInt(a, b vector) vector { return m.compute("add.4s", a, b) }
func (m neon) subInt(a, b vector) vector { return m.compute("sub.4s", a, b) }
func (m neon) minInt(a, b vector) vector { return m.compute("smin.4s", a, b) }
func (m neon) toFloat(a vector) vector   { return m.compute("scvtf.4s", a) }

// min and max compare and select, since ARM's minimum and maximum treat NaN and −0 in another way.

func (m neon) min(a, b vector) vector { return m.blend(m.compare(less, a, b), a, b) }
func (m neon) max(a, b vector) vector { return m.blend(m.compare(greater, a, b), a, b) }

func (m neon) fma(a, b, c vector) vector { return m.update("fmla.4s", c, a, b) }

func (m neon) polynomial(x vector, c ...float32) vector {
	r := m.float(c[len(c)-1])
	for n := len(c) - 2; n >= 0; n-- {
		r = m.fma(r, x, m.float(c[n]))
	}
	return r
}

// shifted returns a new register with the lanes of a vector shifted.
func (m neon) shifted(name, lanes string, a vector, n uint8) vector {
	from := m.register(a)
	r := m.newVector()
	m.shift(name, lanes, r, from, int(n))
	return r
}

func (m neon) shiftLeft(a vector, n uint8) vector          { return m.shifted("shl", "4s", a, n) }
func (m neon) shiftRight(a vector, n uint8) vector         { return m.shifted("sshr", "4s", a, n) }
func (m neon) shiftRightUnsigned(a vector, n uint8) vector { return m.shifted("ushr", "4s", a, n) }

func (m neon) compare(predicate uint8, a, b vector) condition {
	return m.compareLanes("4s", predicate, a, b)
}

// compareLanes compares lanes "4s" or "2d". ARM has only the comparisons >, ≥ and =, which are false for
// NaN.
func (m neon) compareLanes(lanes string, predicate uint8, a, b vector) neonCondition {
	greaterThan, atLeast := "fcmgt."+lanes, "fcmge."+lanes
	switch predicate {
	case equal:
		return neonCondition{m.compute("fcmeq."+lanes, a, b), false}
	case notEqual:
		return neonCondition{m.compute("fcmeq."+lanes, a, b), true}
	case less:
		return neonCondition{m.compute(greaterThan, b, a), false}
	case notLess:
		return neonCondition{m.compute(greaterThan, b, a), true}
	case lessOrEqual:
		return neonCondition{m.compute(atLeast, b, a), false}
	case greater:
		return neonCondition{m.compute(greaterThan, a, b), false}
	case greaterOrEqual:
		return neonCondition{m.compute(atLeast, a, b), false}
	case unequal:
		return neonCondition{m.compute("orr", m.compute(greaterThan, a, b), m.compute(greaterThan, b, a)), false}
	case unordered:
		return neonCondition{m.compute("orr", m.compute(atLeast, a, b), m.compute(greaterThan, b, a)), true}
	}
	panic(fmt.Sprintf("unknown predicate %#x", predicate))
}

func (m neon) blend(c condition, yes, no vector) vector {
	holds := c.(neonCondition)
	if holds.isInverse {
		yes, no = no, yes
	}
	return m.update("bsl", holds.vec, yes, no)
}

func (m neon) zeroUnless(c condition, x vector) vector {
	holds := c.(neonCondition)
	if holds.isInverse {
		return m.compute("bic", x, holds.vec)
	}
	return m.compute("and", x, holds.vec)
}

// argument loads an integer or pointer argument of the function into a new register.
func (m neon) argument(name string) Op { return m.parameter(name) }

// broadcastArgument copies a float32 argument of the function to all lanes.
func (m neon) broadcastArgument(name string) vector {
	address, _ := m.frameAddress(name)
	one, all := m.newVector(), m.newVector()
	m.text = append(m.text, instruction{text: fmt.Sprintf("FMOVS %s, F{d}", address), d: one, n: noVector, m: noVector, writes: true})
	m.duplicate(all, one, "S[0]")
	return all
}

func (m neon) writeReturn() { m.op("RET") }

func (m neon) jumpIfZeroArgument(name, label string) {
	address, _ := m.frameAddress(name)
	bits := m.general()
	m.line(fmt.Sprintf("MOVWU %s, %s", address, bits.Asm()))
	m.op("LSLW", immediate(1), bits, bits) // removes the sign of −0
	m.branch("CBZW", label, bits)
	m.release(bits)
}

func (m neon) jumpIfEqual(register Op, n int, label string) {
	m.op("CMP", immediate(n), register)
	m.branch("BEQ", label)
}

// operand returns an operand of the function as a stream. A single number, whose step is 0, is copied to
// all lanes of a vector on the stack, which the loop reads in every turn.
func (m neon) operand(name string) stream {
	repeated := m.local(vectorBytes)
	from := m.parameter(name)
	step := m.parameter(name + "Step")
	many := m.label("many")
	m.branch("CBNZ", many, step)
	all := m.newVector()
	m.loadRepeated(from, "4s", all)
	m.storeVector(all, at(repeated, 0))
	m.op("MOVD", repeated, from)
	m.place(many)
	m.op("LSL", immediate(4), step, step)
	m.release(repeated)
	return stream{next: from, step: step}
}

// lanesPerVector is the number of float32 in a vector.
const lanesPerVector = vectorBytes / 4

// loop writes a loop over n numbers: turns of l.unroll vectors while there are as many numbers, then
// turns of one vector, then a turn for the lanes that remain.
func (m neon) loop(n Op, l vectorLoop) {
	m.constantScope()
	for vectors := l.unroll; vectors > 0; vectors-- {
		again := m.label("vectors")
		under := m.label("under")
		m.op("CMP", immediate(vectors*lanesPerVector), n)
		m.branch("BLT", under)
		m.place(again)
		m.loopTurn(l, vectors)
		m.op("SUB", immediate(vectors*lanesPerVector), n, n)
		m.op("CMP", immediate(vectors*lanesPerVector), n)
		m.branch("BGE", again)
		m.place(under)
	}
	done := m.label("done")
	m.branch("CBZ", done, n)
	m.tailTurn(n, l)
	m.place(done)
}

// loopTurn writes the body of a loop for one or two vectors, and moves the streams past them.
func (m neon) loopTurn(l vectorLoop, vectors int) {
	in := make([][]vector, vectors)
	for v := range in {
		in[v] = make([]vector, len(l.in))
	}
	for i, s := range l.in {
		for v := range vectors {
			x := m.newVector()
			in[v][i] = x
			if s.step == nil {
				m.loadVector(at(s.next, vectorBytes*v), x)
			} else {
				m.loadVector(at(s.next, 0), x)
				m.op("ADD", s.step, s.next, s.next)
			}
		}
	}
	for v := range vectors {
		for i, result := range l.body(in[v]) {
			m.storeVector(m.register(result), at(l.out[i].next, vectorBytes*v))
		}
	}
	m.advance(l, vectors*vectorBytes)
}

// advance moves each stream without a step of its own, and a stream that is both read and written only
// once.
func (m neon) advance(l vectorLoop, bytes int) {
	moved := map[Op]bool{}
	for _, s := range append(append([]stream{}, l.out...), l.in...) {
		if s.step == nil && !moved[s.next] {
			moved[s.next] = true
			m.op("ADD", immediate(bytes), s.next, s.next)
		}
	}
}

// tailTurn writes the body of a loop for the last n numbers, of which there are 1, 2 or 3.
func (m neon) tailTurn(n Op, l vectorLoop) {
	place := m.general()
	in := make([]vector, len(l.in))
	for i, s := range l.in {
		in[i] = m.loadFirst(n, s.next, place)
	}
	for i, result := range l.body(in) {
		m.storeFirst(n, m.register(result), l.out[i].next, place)
	}
	m.release(place)
}

// loadFirst loads the first 1, 2 or 3 lanes of a vector and sets the others to 0. It changes place.
func (m neon) loadFirst(n, from Op, place general) vec {
	one, loaded := m.label("one"), m.label("loaded")
	x := m.newVector()
	m.branch("TBZ", one, immediate(1), n)
	m.loadPart("FMOVD", at(from, 0), x)
	m.branch("TBZ", loaded, immediate(0), n)
	m.op("ADD", immediate(8), from, place)
	m.loadLane(place, x, 2)
	m.branch("B", loaded)
	m.place(one)
	m.loadPart("FMOVS", at(from, 0), x)
	m.place(loaded)
	return x
}

// storeFirst stores the first 1, 2 or 3 lanes of a vector. It changes place.
func (m neon) storeFirst(n Op, x vec, to Op, place general) {
	one, stored := m.label("one"), m.label("stored")
	m.branch("TBZ", one, immediate(1), n)
	m.storePart("FMOVD", x, at(to, 0))
	m.branch("TBZ", stored, immediate(0), n)
	m.op("ADD", immediate(8), to, place)
	m.storeLane(x, 2, place)
	m.branch("B", stored)
	m.place(one)
	m.storePart("FMOVS", x, at(to, 0))
	m.place(stored)
}

// storeSome stores a vector and moves to past it if at least four numbers are left, which it subtracts. Otherwise
// it stores as many lanes as numbers are left and jumps to a label.
func (m neon) storeSome(left general, x vec, to, place general, done string) {
	whole := m.label("whole")
	m.op("CMP", immediate(lanesPerVector), left)
	m.branch("BGE", whole)
	m.branch("CBZ", done, left)
	m.storeFirst(left, x, to, place)
	m.branch("B", done)
	m.place(whole)
	m.storeVector(x, at(to, 0))
	m.op("ADD", immediate(vectorBytes), to, to)
	m.op("SUB", immediate(lanesPerVector), left, left)
}

// neonDoubles writes arithmetic on vectors of two float64 for arm64.
type neonDoubles struct{ neon }

// doubles returns arithmetic on vectors of float64.
func (m neon) doubles() doubleMath { return doubleMath{neonDoubles{m}} }

// bits returns a vector of copies of a 64-bit word.
func (d neonDoubles) bits(word uint64) vector { return neonConstant{vectorConstant{word, word}} }

// float returns a vector of copies of x.
func (d neonDoubles) float(x float64) vector { return d.bits(math.Float64bits(x)) }

func (d neonDoubles) add(a, b vector) vector    { return d.compute("fadd.2d", a, b) }
func (d neonDoubles) sub(a, b vector) vector    { return d.compute("fsub.2d", a, b) }
func (d neonDoubles) mul(a, b vector) vector    { return d.compute("fmul.2d", a, b) }
func (d neonDoubles) div(a, b vector) vector    { return d.compute("fdiv.2d", a, b) }
func (d neonDoubles) min(a, b vector) vector    { return d.blend(d.compare(less, a, b), a, b) }
func (d neonDoubles) addInt(a, b vector) vector { return d.compute("add.2d", a, b) }
func (d neonDoubles) subInt(a, b vector) vector { return d.compute("sub.2d", a, b) }

func (d neonDoubles) shiftLeft(a vector, n uint8) vector  { return d.shifted("shl", "2d", a, n) }
func (d neonDoubles) shiftRight(a vector, n uint8) vector { return d.shifted("ushr", "2d", a, n) }

func (d neonDoubles) compare(predicate uint8, a, b vector) condition {
	return d.compareLanes("2d", predicate, a, b)
}

func (d neonDoubles) lowerToDouble(x vector) vector { return d.compute("fcvtl.2d", x) }
func (d neonDoubles) upperToDouble(x vector) vector { return d.compute("fcvtl2.2d", x) }
func (d neonDoubles) toSingle(x vector) vector      { return d.compute("fcvtn.2s", x) }
func (d neonDoubles) join(low, high vector) vector  { return d.compute("zip1.2d", low, high) }
