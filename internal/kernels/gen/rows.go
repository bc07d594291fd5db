package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// copyAhead is how many rows before its turn a row is prefetched. Copying a row takes less time than
// standardising it, so that this is more than gatherAhead.
const copyAhead = 16

// rowCopier writes the kernel that copies rows.
type rowCopier struct {
	rowTable
	dst, left reg.Register // address of the next number, and number of rows, to write
	safe      reg.Register // last address in dst with room for a whole vector
	rest      reg.Register // bytes per row after the whole vectors
	restLanes reg.Register // mask of the rest
}

// copyRows writes the kernel that copies rows of a table.
func copyRows(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.function("rows"+suffix, "dst, table *float32, cols int, rows *int32, m int", "is kernels.CopyRows of m rows.")
		c := rowCopier{rowTable: rowTable{avx: m}}
		c.dst = m.Load(m.Param("dst"), m.GP64())
		c.rows = m.Load(m.Param("rows"), m.GP64())
		c.left = m.Load(m.Param("m"), m.GP64())
		c.size = m.Load(m.Param("cols"), m.GP64())
		c.rest = m.copyRegister(c.size)
		m.ANDQ(Imm(uint64(m.bytes()/4-1)), c.rest)
		if m.isAVX512 {
			bits, k := m.GP32(), m.K()
			m.MOVL(U32(0xFFFF), bits) // one bit for each of 16 lanes
			m.BZHIL(c.rest.(reg.GP).As32(), bits, bits)
			m.KMOVW(bits, k)
			c.restLanes = k
		} else {
			c.restLanes = m.YMM()
			m.setLaneMask(c.restLanes, c.rest)
		}
		m.SHLQ(Imm(2), c.rest) // from numbers to bytes
		m.SHLQ(Imm(2), c.size)
		c.safe = m.copyRegister(c.left)
		m.IMULQ(c.size, c.safe)
		m.LEAQ(indexedAddress(c.dst, c.safe, 1, -m.bytes()), c.safe)
		c.last = m.copyRegister(c.left)
		m.LEAQ(indexedAddress(c.rows, c.last, 4, -4), c.last)
		c.writeRows()
	})
}

// writeRows writes the loop over the rows: for each, a loop over whole vectors and then the rest.
func (c rowCopier) writeRows() {
	again := c.label("row")
	done := c.label("rowsdone")
	c.Label(again)
	c.TESTQ(c.left, c.left)
	c.JLE(LabelRef(done))
	c.prefetch(copyAhead)

	row, n := c.row(c.rows), c.copyRegister(c.size)
	vectors := c.label("vectors")
	tail := c.label("tail")
	exact := c.label("exact")
	next := c.label("next")
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

	c.Label(tail)
	c.TESTQ(c.rest, c.rest)
	c.JE(LabelRef(next))
	c.writeRest(row, x, exact, next)
	c.Label(next)
	c.ADDQ(Imm(4), c.rows)
	c.DECQ(c.left)
	c.JMP(LabelRef(again))
	c.Label(done)
	c.writeReturn()
}

// writeRest writes the copy of a row's numbers after the whole vectors, through register x, and advances
// dst. It stores a whole vector where the next row overwrites the excess, and then jumps to next; near
// the end of dst, at label exact, it stores the numbers alone.
func (c rowCopier) writeRest(row, x reg.Register, exact, next string) {
	if c.isAVX512 {
		c.VMOVUPS_Z(address(row, 0), c.restLanes, x)
	} else {
		c.VMASKMOVPS(address(row, 0), c.restLanes, x)
	}
	c.CMPQ(c.dst, c.safe)
	c.JHI(LabelRef(exact))
	c.VMOVUPS(x, address(c.dst, 0))
	c.ADDQ(c.rest, c.dst)
	c.JMP(LabelRef(next))
	c.Label(exact)
	if c.isAVX512 {
		c.VMOVUPS(x, c.restLanes, address(c.dst, 0))
	} else {
		c.VMASKMOVPS(x, c.restLanes, address(c.dst, 0))
	}
	c.ADDQ(c.rest, c.dst)
}
