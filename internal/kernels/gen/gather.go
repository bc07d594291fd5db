package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ahead is how many rows before its turn a row is asked for: a large table
// lies beyond the second-level cache, and its rows come in no order that the
// CPU could foresee.
const ahead = 8

// gatherer is one of the two functions.
type gatherer struct {
	rowTable
	dst, left     reg.Register // of what is still to do
	full          reg.Register // numbers of a row in whole vectors
	rest          reg.Register // numbers of a row after those
	some, someOut reg.Register // their lanes, in the table and in dst
}

// gather writes the standardised copy of rows of a table.
func gather(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.function("gather"+suffix, "dst *float32, table *float64, cols int, rows *int32, m int, mean, std *float64",
			"is kernels.Gather of m rows.")
		g := gatherer{rowTable: rowTable{vectorMath: m}}
		g.dst = m.Load(m.Param("dst"), m.GP64())
		g.rows = m.Load(m.Param("rows"), m.GP64())
		g.left = m.Load(m.Param("m"), m.GP64())
		g.size = m.Load(m.Param("cols"), m.GP64())
		g.rest = m.copyRegister(g.size)
		m.ANDQ(Imm(uint64(g.lanes()-1)), g.rest)
		g.full = m.copyRegister(g.size)
		m.SUBQ(g.rest, g.full)
		m.SHLQ(Imm(3), g.size)
		g.last = m.copyRegister(g.left)
		m.LEAQ(indexedAddress(g.rows, g.last, 4, -4), g.last)
		g.selectRest()
		g.each()
	})
}

// lanes is the number of float64 in a vector.
func (g gatherer) lanes() int { return g.bytes() / 8 }

// half is a register for as many float32 as a vector has float64.
func (g gatherer) half() reg.Register {
	if g.isAVX512 {
		return g.YMM()
	}
	return g.XMM()
}

// selectRest selects what is left of a row after whole vectors.
func (g *gatherer) selectRest() {
	if g.isAVX512 {
		bits, k := g.GP32(), g.K()
		g.MOVL(U32(0xFF), bits)
		g.BZHIL(g.rest.(reg.GP).As32(), bits, bits)
		g.KMOVW(bits, k)
		g.some, g.someOut = k, k
		return
	}
	in, out := g.YMM(), g.YMM()
	words := g.copyRegister(g.rest)
	g.setLaneMask(out, words)
	g.ADDQ(words, words)
	g.setLaneMask(in, words)
	g.some, g.someOut = in, out.AsX()
}

// standardise writes one vector of a row's numbers, or what is left of them.
func (g gatherer) standardise(row, mean, std, dst reg.Register, all bool) {
	x, mu, sigma, y := g.new(), g.new(), g.new(), g.half()
	load := func(from reg.Register, to reg.Register) {
		switch {
		case all:
			g.VMOVUPD(address(from, 0), to)
		case g.isAVX512:
			g.VMOVUPD_Z(address(from, 0), g.some, to)
		default:
			g.VMASKMOVPD(address(from, 0), g.some, to)
		}
	}
	load(row, x)
	load(mean, mu)
	load(std, sigma)
	g.VSUBPD(mu, x, x)
	g.VDIVPD(sigma, x, x)
	if g.isAVX512 {
		g.VCVTPD2PS(x, y)
	} else {
		g.VCVTPD2PSY(x, y)
	}
	switch {
	case all:
		g.VMOVUPS(y, address(dst, 0))
	case g.isAVX512:
		g.VMOVUPS(y, g.someOut, address(dst, 0))
	default:
		g.VMASKMOVPS(y, g.someOut, address(dst, 0))
	}
}

// each writes the loop over the rows.
func (g gatherer) each() {
	again, done := g.label("row"), g.label("rowsdone")
	g.Label(again)
	g.TESTQ(g.left, g.left)
	g.JLE(LabelRef(done))
	g.prefetch(ahead)

	row := g.row(g.rows)
	mean := g.Load(g.Param("mean"), g.GP64())
	std := g.Load(g.Param("std"), g.GP64())
	n := g.copyRegister(g.full)
	vectors, tail, next := g.label("vectors"), g.label("tail"), g.label("next")
	g.Label(vectors)
	g.TESTQ(n, n)
	g.JLE(LabelRef(tail))
	g.standardise(row, mean, std, g.dst, true)
	for _, r := range []reg.Register{row, mean, std} {
		g.ADDQ(U32(g.bytes()), r)
	}
	g.ADDQ(U32(g.bytes()/2), g.dst)
	g.SUBQ(Imm(uint64(g.lanes())), n)
	g.JMP(LabelRef(vectors))
	g.Label(tail)
	g.TESTQ(g.rest, g.rest)
	g.JLE(LabelRef(next))
	g.standardise(row, mean, std, g.dst, false)
	g.LEAQ(indexedAddress(g.dst, g.rest, 4, 0), g.dst)
	g.Label(next)
	g.ADDQ(Imm(4), g.rows)
	g.DECQ(g.left)
	g.JMP(LabelRef(again))
	g.Label(done)
	g.writeReturn()
}
