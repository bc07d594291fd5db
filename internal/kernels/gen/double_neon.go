package main

import "math"

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

func (d neonDoubles) shiftLeft(a vector, n uint8) vector  { return d.shiftLanes("shl", "2d", a, n) }
func (d neonDoubles) shiftRight(a vector, n uint8) vector { return d.shiftLanes("ushr", "2d", a, n) }

func (d neonDoubles) compare(predicate uint8, a, b vector) condition {
	return d.compareLanes("2d", predicate, a, b)
}

func (d neonDoubles) lowerToDouble(x vector) vector { return d.compute("fcvtl.2d", x) }
func (d neonDoubles) upperToDouble(x vector) vector { return d.compute("fcvtl2.2d", x) }
func (d neonDoubles) toSingle(x vector) vector      { return d.compute("fcvtn.2s", x) }
func (d neonDoubles) join(low, high vector) vector  { return d.compute("zip1.2d", low, high) }
