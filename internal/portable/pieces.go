package portable

import "math"

// piece is a function on a small interval: a polynomial in the distance u from
// the interval's middle. Its value there is in two parts, p[0] + p[1], so that
// rounding it costs nothing; then come the coefficients of u, u², ….
type piece [14]float64

// at returns the polynomial as p[0] and what is to be added to it.
func (p *piece) at(u float64) (first, rest float64) {
	return p[0], mulAdd(u, polynomial(u, p[2:]), p[1])
}

// octaves are the pieces of a function from a power of two on, four to each
// doubling of x.
type octaves struct {
	from   float64
	pieces []piece
}

const quarterBits = 50 // bits of a number below those that tell its quarter of an octave

func (o *octaves) at(x float64) (first, rest float64) {
	bits := math.Float64bits(x) >> quarterBits
	middle := math.Float64frombits(bits<<quarterBits | 1<<(quarterBits-1))
	return o.pieces[bits-math.Float64bits(o.from)>>quarterBits].at(x - middle)
}
