package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowsAhead is how many rows before its turn a row is asked for, where nothing is done
// to it but copying.
const rowsAhead = 16

// rowCopier copies rows of a table.
type rowCopier struct {
	rowTable
	dst, left reg.Register // of what is still to do
	safe      reg.Register // the last place in dst with room for a whole vector
	rest      reg.Register // bytes of a row behind whole vectors
	some      reg.Register // their lanes
}

func copyRows(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.function("rows"+suffix, "dst, table *float32, cols int, rows *int32, m int", "is kernels.Rows of m rows.")
		c := rowCopier{rowTable: rowTable{vectorMath: m}}
		c.dst, c.rows, c.left = m.Load(m.Param("dst"), m.GP64()), m.Load(m.Param("rows"), m.GP64()), m.Load(m.Param("m"), m.GP64())
		c.size = m.Load(m.Param("cols"), m.GP64())
		c.rest = m.copyRegister(c.size)
		m.ANDQ(Imm(uint64(m.bytes()/4-1)), c.rest)
		if m.isAVX512 {
			bits, k := m.GP32(), m.K()
			m.MOVL(U32(0xFFFF), bits)
			m.BZHIL(c.rest.(reg.GP).As32(), bits, bits)
			m.KMOVW(bits, k)
			c.some = k
		} else {
			c.some = m.YMM()
			m.setLaneMask(c.some, c.rest)
		}
		m.SHLQ(Imm(2), c.rest)
		m.SHLQ(Imm(2), c.size)
		c.safe = m.copyRegister(c.left)
		m.IMULQ(c.size, c.safe)
		m.LEAQ(indexedAddress(c.dst, c.safe, 1, -m.bytes()), c.safe)
		c.last = m.copyRegister(c.left)
		m.LEAQ(indexedAddress(c.rows, c.last, 4, -4), c.last)
		c.each()
	})
}

func (c rowCopier) each() {
	again, done := c.label("row"), c.label("rowsdone")
	c.Label(again)
	c.TESTQ(c.left, c.left)
	c.JLE(LabelRef(done))
	c.prefetch(rowsAhead)

	row, n := c.row(c.rows), c.copyRegister(c.size)
	vectors, tail, exact, next := c.label("vectors"), c.label("tail"), c.label("exact"), c.label("next")
	x := c.new()
	c.SUBQ(c.rest, n)
	c.JE(LabelRef(tail))
	c.Label(vectors)
	c.VMOVUPS(address(row, 0), x)
	c.VMOVUPS(x, address(c.dst, 0))
	c.ADDQ(U32(c.bytes()), row)
	c.ADDQ(U32(c.bytes()), c.dst)
	c.SUBQ(U32(c.bytes()), n)
	c.JNE(LabelRef(vectors))

	// A whole vector, where what is behind the row is written by the next.
	c.Label(tail)
	c.TESTQ(c.rest, c.rest)
	c.JE(LabelRef(next))
	if c.isAVX512 {
		c.VMOVUPS_Z(address(row, 0), c.some, x)
	} else {
		c.VMASKMOVPS(address(row, 0), c.some, x)
	}
	c.CMPQ(c.dst, c.safe)
	c.JHI(LabelRef(exact))
	c.VMOVUPS(x, address(c.dst, 0))
	c.ADDQ(c.rest, c.dst)
	c.JMP(LabelRef(next))
	c.Label(exact)
	if c.isAVX512 {
		c.VMOVUPS(x, c.some, address(c.dst, 0))
	} else {
		c.VMASKMOVPS(x, c.some, address(c.dst, 0))
	}
	c.ADDQ(c.rest, c.dst)
	c.Label(next)
	c.ADDQ(Imm(4), c.rows)
	c.DECQ(c.left)
	c.JMP(LabelRef(again))
	c.Label(done)
	c.writeReturn()
}
