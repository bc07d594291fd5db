package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
		again, done := m.label("row"), m.label("rowsdone")
		m.Label(again)
		m.TESTQ(left, left)
		m.JLE(LabelRef(done))
		from := m.GP64()
		m.MOVLQSX(mem(rows, 0), from)
		m.IMULQ(size, from)
		table, _ := m.Param("table").Resolve()
		m.ADDQ(table.Addr, from)
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
