package main

import (
	"fmt"
	"math"
)

// neonSuffix ends the names of functions for arm64.
const neonSuffix = "NEON"

// Size of a vector of arm64.
const (
	vectorBytes    = 16
	lanesPerVector = vectorBytes / 4 // float32 numbers
)

// neon writes kernels for arm64, with vectors of four float32. It implements vectors.
//
// A vector is a vec, which is a register, or a neonConstant, which becomes a register only where an instruction
// needs it: register, copyOf, compute and update see to that.
type neon struct{ *assembler }

// newNEON returns a writer of kernels to an assembly file.
func newNEON(a *assembler) neon { return neon{a} }

// neonConstant is a constant that may not be in a register.
type neonConstant struct{ vectorConstant }

// Asm returns the number of the constant. No instruction contains it; the method makes the constant an operand.
func (c neonConstant) Asm() string { return fmt.Sprintf("%#x%016x", c.high, c.low) }

// neonCondition is the result of a comparison: the bits of a lane are ones if the lanes compared as asked. If
// isInverse is set they are zeros then, and ones otherwise.
type neonCondition struct {
	vec
	isInverse bool
}

// register returns a register with the value of x, for reading: no instruction may write to it.
func (m neon) register(x vector) vec {
	if c, isConstant := x.(neonConstant); isConstant {
		return m.constantVector(c.vectorConstant)
	}
	return x.(vec)
}

// registers returns a register for each of several vectors: see register.
func (m neon) registers(vectors []vector) []vec {
	registers := make([]vec, len(vectors))
	for i, x := range vectors {
		registers[i] = m.register(x)
	}
	return registers
}

// copyOf returns a new register with the value of x, for reading and writing.
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
	from := m.registers(operands)
	r := m.newVector()
	m.vector(name, r, from...)
	return r
}

// update returns a new register with the result of a vector instruction that computes with the old value of its
// destination, which is x.
func (m neon) update(name string, x vector, operands ...vector) vec {
	from := m.registers(operands)
	r := m.copyOf(x)
	m.vector(name, r, from...)
	return r
}

// load returns x itself: no method writes to its operands, so that x needs no copy.
func (m neon) load(x vector) vector { return x }

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

// min and max compare and select. ARM has instructions for both, but they treat NaN and −0 unlike amd64's.

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

// shiftLanes returns a new register with each lane shifted by n bits: see assembler.shift.
func (m neon) shiftLanes(name, lanes string, a vector, n uint8) vector {
	from := m.register(a)
	r := m.newVector()
	m.shift(name, lanes, r, from, int(n))
	return r
}

func (m neon) shiftLeft(a vector, n uint8) vector          { return m.shiftLanes("shl", "4s", a, n) }
func (m neon) shiftRight(a vector, n uint8) vector         { return m.shiftLanes("sshr", "4s", a, n) }
func (m neon) shiftRightUnsigned(a vector, n uint8) vector { return m.shiftLanes("ushr", "4s", a, n) }

func (m neon) compare(predicate uint8, a, b vector) condition {
	return m.compareLanes("4s", predicate, a, b)
}

// compareLanes compares lanes "4s" or "2d". ARM has only the comparisons >, ≥ and =, which are false for NaN: the
// other predicates exchange the operands, or invert the result.
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
