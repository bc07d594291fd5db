package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// vector is a vector of numbers: a register, or a constant, which is in memory. The first operand of a method must be a
// register; load copies a constant to one.
type vector = Op

// condition is the result of a comparison, for each lane.
type condition = Op

// vectors writes kernels with vectors of float32 for an instruction set. A method that returns a vector writes the
// instructions that compute it, and returns a new register or a constant. No method writes to its operands.
type vectors interface {
	arithmetic
	control
}

// arithmetic writes arithmetic on vectors of float32, or of 32-bit integers where the name says so.
type arithmetic interface {
	load(x vector) vector        // x in a register that may be the first operand
	zero() vector                // +0 in all lanes
	constant(word uint32) vector // copies of the word
	float(x float32) vector      // copies of x
	doubles() doubleMath         // arithmetic on vectors of float64

	add(a, b vector) vector
	sub(a, b vector) vector
	mul(a, b vector) vector
	div(a, b vector) vector
	sqrt(a vector) vector
	fma(a, b, c vector) vector                // a·b + c, rounded once
	polynomial(x vector, c ...float32) vector // c[0] + c[1]·x + c[2]·x² + …, by Horner's rule with fma
	min(a, b vector) vector                   // the smaller number, or b if they are equal or either is NaN
	max(a, b vector) vector                   // the larger number, or b if they are equal or either is NaN
	and(a, b vector) vector
	or(a, b vector) vector
	xor(a, b vector) vector

	addInt(a, b vector) vector
	subInt(a, b vector) vector
	minInt(a, b vector) vector                   // of signed integers
	shiftLeft(a vector, n uint8) vector          // by n bits
	shiftRight(a vector, n uint8) vector         // by n bits; keeps the sign
	shiftRightUnsigned(a vector, n uint8) vector // by n bits; fills in zeros
	toFloat(a vector) vector                     // converts integers to float32

	compare(predicate uint8, a, b vector) condition // by a predicate such as less
	blend(c condition, yes, no vector) vector       // yes where the condition holds, no elsewhere
	zeroUnless(c condition, x vector) vector        // x where the condition holds, +0 elsewhere
}

// control writes the parts of a kernel around its arithmetic.
type control interface {
	function(name, args, doc string)       // begins a function: see signature
	writeReturn()                          // returns from the function
	argument(name string) Op               // loads an integer or pointer argument into a new register
	broadcastArgument(name string) vector  // copies a float32 argument to all lanes
	operand(name string) stream            // the stream at the argument name with the argument nameStep: see stream
	loop(n Op, l vectorLoop)               // a loop over n numbers; changes n and the addresses of the streams
	label(word string) string              // a new label that begins with word
	place(label string)                    // puts a label before the next instruction
	jumpIfZeroArgument(name, label string) // jumps to the label if a float32 argument is +0 or −0

	// jumpIfEqual jumps to the label if a general register has the value n.
	jumpIfEqual(register Op, n int, label string)
}

// Predicates of compare, as VCMPPS of amd64 encodes them. Unless they say otherwise, they are false if an operand is NaN.
const (
	equal          = 0x00
	less           = 0x11
	lessOrEqual    = 0x12
	unordered      = 0x03 // either operand is NaN
	notEqual       = 0x04 // true for NaN
	notLess        = 0x15 // true for NaN
	greaterOrEqual = 0x1D
	greater        = 0x1E
	unequal        = 0x0C // less or greater, unlike notEqual
)

// stream is a slice that a loop reads or writes vector by vector. An operand that is one number is a stream with a step
// of 0, which repeats a vector of copies of the number.
type stream struct {
	next Op // register with the address of the next vector
	step Op // register with the distance between vectors in bytes; nil for the size of a vector
}

// vectorLoop is a loop over slices of numbers, which reads and writes vectors.
type vectorLoop struct {
	in, out []stream // a stream may be in both

	// body writes the instructions that compute the vectors of the out streams from the vectors of the
	// in streams.
	body func(in []vector) (out []vector)

	unroll int // vectors of each stream per turn of the loop: 1 or 2
}

// isaLoop calls write once for each instruction set that a file has kernels for. suffix ends the names of functions.
type isaLoop func(write func(m vectorMath, suffix string))

// vectorMath writes functions of vectors of float32, such as exp, once for all instruction sets.
type vectorMath struct{ vectors }

// signBit is the sign bit of a float32: the bits of −0.
const signBit = 0x80000000

// abs returns |a|.
func (m vectorMath) abs(a vector) vector { return m.and(a, m.constant(signBit-1)) }
