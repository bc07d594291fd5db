package portable

import "math"

// piece approximates a function on a small interval by a polynomial in the distance u from the
// interval's middle. The constant term is p[0] + p[1], where p[1] is the rounding error of p[0].
// p[2], p[3], … are the coefficients of u, u², ….
type piece [14]float64

// evaluate returns the value at distance u from the interval's middle as the sum of p[0] and a small rest.
func (p *piece) evaluate(u float64) (first, rest float64) {
	return p[0], mulAdd(u, polynomial(u, p[2:]), p[1])
}

// octaves approximates a function from the number from on. Each octave, the interval from a power of
// two to the next, is divided into four intervals of equal length with one piece each.
type octaves struct {
	from   float64 // start of the first interval
	pieces []piece
}

// quarterBits is the number of low bits of a float64 that differ within a quarter of an octave: all
// but the sign, the exponent and the first two bits of the mantissa.
const quarterBits = 50

// evaluate returns the value at x as a sum of two numbers, of which rest is small. x must lie in the
// interval of a piece.
func (o *octaves) evaluate(x float64) (first, rest float64) {
	quarter := math.Float64bits(x) >> quarterBits // counts the quarters of octaves
	middle := math.Float64frombits(quarter<<quarterBits | 1<<(quarterBits-1))
	index := quarter - math.Float64bits(o.from)>>quarterBits
	return o.pieces[index].evaluate(x - middle)
}
