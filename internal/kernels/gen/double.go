package main

// doubles writes arithmetic on vectors of float64, which have half as many lanes as vectors of float32. Its methods
// return new registers and do not write to their operands.
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

// doubleMath writes functions of vectors of float64, such as exp, once for all instruction sets.
type doubleMath struct{ doubles }

// roundResult returns an operation on float32 that computes f in float64 and rounds its results. It computes the lower
// half of a vector and then the upper half.
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
