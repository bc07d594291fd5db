package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ahead is how many rows before its turn a row is asked for: a large table
// lies beyond the second-level cache, and its rows come in no order that the
// CPU could foresee.
const ahead = 8

// gather writes the standardised copy of rows of a table.
func gather(g *gen) {
	both(g, func(m maths, suffix string) {
		m.function("gather"+suffix, "dst, table *float32, cols int, rows *int32, m int, shift, scale *float32",
			"is kernels.Gather of m rows.")
		dst := m.Load(m.Param("dst"), m.GP64())
		rows := m.Load(m.Param("rows"), m.GP64())
		left := m.Load(m.Param("m"), m.GP64())
		size := m.Load(m.Param("cols"), m.GP64())
		m.SHLQ(Imm(2), size)
		last := m.copyOf(left) // the address of the last row's index
		m.LEAQ(at(rows, last, 4, -4), last)
		m.narrowGather(dst, rows, left, size, last)
		again, done := m.label("row"), m.label("rowsdone")
		m.Label(again)
		m.TESTQ(left, left)
		m.JLE(LabelRef(done))
		next := m.GP64()
		m.LEAQ(mem(rows, 4*ahead), next)
		m.CMPQ(next, last)
		m.CMOVQHI(last, next)
		line, end, fetch := m.tableRow(mem(next, 0), size), m.GP64(), m.label("fetch")
		m.LEAQ(at(line, size, 1, 0), end)
		m.Label(fetch)
		m.PREFETCHT0(mem(line, 0))
		m.ADDQ(Imm(64), line)
		m.CMPQ(line, end)
		m.JLT(LabelRef(fetch))
		from := m.tableRow(mem(rows, 0), size)
		shift := m.Load(m.Param("shift"), m.GP64())
		scale := m.Load(m.Param("scale"), m.GP64())
		n := m.Load(m.Param("cols"), m.GP64())
		m.loop(n, []stream{{at: m.copyOf(dst)}}, []stream{{at: from}, {at: shift}, {at: scale}}, 1, func(x []reg.Register) []reg.Register {
			return []reg.Register{m.mul(m.sub(x[0], x[1]), x[2])}
		})
		m.ADDQ(size, dst)
		m.ADDQ(Imm(4), rows)
		m.DECQ(left)
		m.JMP(LabelRef(again))
		m.Label(done)
		m.finish()
	})
}

// tableRow returns the address of the row whose number is at index.
func (m maths) tableRow(index Mem, size reg.Register) reg.GPVirtual {
	table, _ := m.Param("table").Resolve()
	row := m.GP64()
	m.MOVLQSX(index, row)
	m.IMULQ(size, row)
	m.ADDQ(table.Addr, row)
	return row
}

// narrowGather does it all where a row is one vector or less: shift, scale
// and the selection of its numbers then stay in registers.
func (m maths) narrowGather(dst, rows, left, size, last reg.Register) {
	wide, again, done := m.label("wide"), m.label("narrow"), m.label("narrowdone")
	m.CMPQ(size, Imm(uint64(m.bytes())))
	m.JGT(LabelRef(wide))
	n := m.Load(m.Param("cols"), m.GP64())
	some := m.selectFirst(n)
	shift := m.loadSome(mem(m.Load(m.Param("shift"), m.GP64()), 0), some)
	scale := m.loadSome(mem(m.Load(m.Param("scale"), m.GP64()), 0), some)
	m.Label(again)
	m.TESTQ(left, left)
	m.JLE(LabelRef(done))
	next := m.GP64()
	m.LEAQ(mem(rows, 4*ahead), next)
	m.CMPQ(next, last)
	m.CMOVQHI(last, next)
	m.PREFETCHT0(mem(m.tableRow(mem(next, 0), size), 0))
	x := m.loadSome(mem(m.tableRow(mem(rows, 0), size), 0), some)
	m.storeSome(m.mul(m.sub(x, shift), scale), mem(dst, 0), some)
	m.ADDQ(size, dst)
	m.ADDQ(Imm(4), rows)
	m.DECQ(left)
	m.JMP(LabelRef(again))
	m.Label(done)
	m.finish()
	m.Label(wide)
}
