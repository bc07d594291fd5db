package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gatherAhead is how many rows before its turn a row is prefetched. A large table does not fit into
// the second-level cache, and the CPU cannot predict the order of its rows.
const gatherAhead = 8

// gatherer writes the kernel that copies standardised rows.
type gatherer struct {
	rowTable
	dst, left    reg.Register // address of the next number, and number of rows, to write
	full         reg.Register // numbers per row in whole vectors
	rest         reg.Register // numbers per row after the whole vectors
	restLanes    reg.Register // mask of the rest in vectors of float64
	restLanesOut reg.Register // mask of the rest in vectors of float32
}

// gather writes the kernel that copies rows of a table, standardised.
func gather(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.function("gather"+suffix, "dst *float32, table *float64, cols int, rows *int32, m int, mean, std *float64",
			"is kernels.GatherStandardised of m rows.")
		g := gatherer{rowTable: rowTable{avx: m}}
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
		g.writeRows()
	})
}

// lanes returns the number of float64 in a vector.
func (g gatherer) lanes() int { return g.bytes() / 8 }

// newHalf returns a new register for as many float32 as a vector has float64.
func (g gatherer) newHalf() reg.Register {
	if g.isAVX512 {
		return g.YMM()
	}
	return g.XMM()
}

// selectRest sets the masks of the numbers after the whole vectors of a row.
func (g *gatherer) selectRest() {
	if g.isAVX512 {
		bits, k := g.GP32(), g.K()
		g.MOVL(U32(0xFF), bits) // one bit for each of 8 lanes
		g.BZHIL(g.rest.(reg.GP).As32(), bits, bits)
		g.KMOVW(bits, k)
		g.restLanes = k
		g.restLanesOut = k
		return
	}
	in, out := g.YMM(), g.YMM()
	words := g.copyRegister(g.rest)
	g.setLaneMask(out, words)
	g.ADDQ(words, words) // a float64 is two of the mask's 32-bit lanes
	g.setLaneMask(in, words)
	g.restLanes, g.restLanesOut = in, out.AsX()
}

// standardise writes the code for (row − mean)/std of one vector of numbers, rounded to float32 and stored
// at dst. The arguments are addresses. If whole is false, it reads and writes only the rest of a row.
func (g gatherer) standardise(row, mean, std, dst reg.Register, whole bool) {
	x := g.new()
	mu := g.new()
	sigma := g.new()
	y := g.newHalf()
	load := func(from reg.Register, to reg.Register) {
		switch {
		case whole:
			g.VMOVUPD(address(from, 0), to)
		case g.isAVX512:
			g.VMOVUPD_Z(address(from, 0), g.restLanes, to)
		default:
			g.VMASKMOVPD(address(from, 0), g.restLanes, to)
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
	case whole:
		g.VMOVUPS(y, address(dst, 0))
	case g.isAVX512:
		g.VMOVUPS(y, g.restLanesOut, address(dst, 0))
	default:
		g.VMASKMOVPS(y, g.restLanesOut, address(dst, 0))
	}
}

// writeRows writes the loop over the rows.
func (g gatherer) writeRows() {
	again := g.label("row")
	done := g.label("rowsdone")
	g.Label(again)
	g.TESTQ(g.left, g.left)
	g.JLE(LabelRef(done))
	g.prefetch(gatherAhead)

	row := g.row(g.rows)
	mean := g.Load(g.Param("mean"), g.GP64())
	std := g.Load(g.Param("std"), g.GP64())
	n := g.copyRegister(g.full)
	vectors := g.label("vectors")
	tail := g.label("tail")
	next := g.label("next")
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
