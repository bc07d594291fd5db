package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/operand"
)

// This file implements control, the parts of a kernel around its arithmetic, for arm64.

// argument loads an integer or pointer argument of the function into a new register.
func (m neon) argument(name string) Op { return m.parameter(name) }

// broadcastArgument copies a float32 argument of the function to all lanes.
func (m neon) broadcastArgument(name string) vector {
	one, all := m.newVector(), m.newVector()
	m.loadFloatArgument("FMOVS", name, one)
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

// loop writes a loop over n numbers: turns of l.unroll vectors while as many numbers are left, then turns of one
// vector, then a turn for the last 1, 2 or 3 numbers.
func (m neon) loop(n Op, l vectorLoop) {
	m.markConstants()
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
	in := m.loadStreams(l.in, vectors)
	for v := range vectors {
		for i, result := range l.body(in[v]) {
			m.storeVector(m.register(result), at(l.out[i].next, vectorBytes*v))
		}
	}
	m.advance(l, vectors*vectorBytes)
}

// loadStreams loads the next vectors of streams: in[v][i] is vector v of stream i. It moves the streams that have a
// step.
func (m neon) loadStreams(streams []stream, vectors int) (in [][]vector) {
	in = make([][]vector, vectors)
	for v := range in {
		in[v] = make([]vector, len(streams))
	}
	for i, s := range streams {
		for v := range vectors {
			x := m.newVector()
			in[v][i] = x
			if s.step == nil {
				m.loadVector(at(s.next, vectorBytes*v), x)
				continue
			}
			m.loadVector(at(s.next, 0), x)
			m.op("ADD", s.step, s.next, s.next)
		}
	}
	return in
}

// advance moves the streams that have no step. A stream that is both read and written moves once.
func (m neon) advance(l vectorLoop, bytes int) {
	moved := map[Op]bool{}
	for _, s := range slices.Concat(l.out, l.in) {
		if s.step == nil && !moved[s.next] {
			moved[s.next] = true
			m.op("ADD", immediate(bytes), s.next, s.next)
		}
	}
}

// tailTurn writes the body of a loop for the last n numbers, 1, 2 or 3.
func (m neon) tailTurn(n Op, l vectorLoop) {
	scratch := m.general()
	in := make([]vector, len(l.in))
	for i, s := range l.in {
		in[i] = m.loadFirst(n, s.next, scratch)
	}
	for i, result := range l.body(in) {
		m.storeFirst(n, m.register(result), l.out[i].next, scratch)
	}
	m.release(scratch)
}

// loadFirst loads n numbers, 1, 2 or 3, to the first lanes of a new register and sets the others to 0: two numbers
// if bit 1 of n is set, and one if bit 0 is set. It changes the register scratch.
func (m neon) loadFirst(n, from Op, scratch general) vec {
	one, loaded := m.label("one"), m.label("loaded")
	x := m.newVector()
	m.branch("TBZ", one, immediate(1), n)
	m.loadPart("FMOVD", at(from, 0), x)
	m.branch("TBZ", loaded, immediate(0), n)
	m.op("ADD", immediate(8), from, scratch)
	m.loadLane(scratch, x, 2)
	m.branch("B", loaded)
	m.place(one)
	m.loadPart("FMOVS", at(from, 0), x)
	m.place(loaded)
	return x
}

// storeFirst stores the first n lanes of a vector, 1, 2 or 3, as loadFirst loads them. It changes the register
// scratch.
func (m neon) storeFirst(n Op, x vec, to Op, scratch general) {
	one, stored := m.label("one"), m.label("stored")
	m.branch("TBZ", one, immediate(1), n)
	m.storePart("FMOVD", x, at(to, 0))
	m.branch("TBZ", stored, immediate(0), n)
	m.op("ADD", immediate(8), to, scratch)
	m.storeLane(x, 2, scratch)
	m.branch("B", stored)
	m.place(one)
	m.storePart("FMOVS", x, at(to, 0))
	m.place(stored)
}
