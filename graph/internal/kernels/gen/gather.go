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
	maths
	dst, rows, left reg.Register // of what is still to do
	size            reg.Register // bytes of a row
	last            reg.Register // address of the last row's number
}

// gather writes the standardised copy of rows of a table.
func gather(g *gen) {
	both(g, func(m maths, suffix string) {
		m.function("gather"+suffix, "dst, table *float32, cols int, rows *int32, m int, shift, scale *float32",
			"is kernels.Gather of m rows.")
		g := gatherer{maths: m}
		g.dst = m.Load(m.Param("dst"), m.GP64())
		g.rows = m.Load(m.Param("rows"), m.GP64())
		g.left = m.Load(m.Param("m"), m.GP64())
		g.size = m.Load(m.Param("cols"), m.GP64())
		m.SHLQ(Imm(2), g.size)
		g.last = m.copyOf(g.left)
		m.LEAQ(at(g.rows, g.last, 4, -4), g.last)
		wide := m.label("wide")
		m.CMPQ(g.size, Imm(uint64(m.bytes())))
		m.JGT(LabelRef(wide))
		g.narrow()
		m.Label(wide)
		g.wide()
	})
}

// narrow writes the copy of rows of one vector or less: shift, scale and the
// selection of a row's numbers stay in registers.
func (g gatherer) narrow() {
	some := g.selectFirst(g.Load(g.Param("cols"), g.GP64()))
	shift := g.loadSome(mem(g.Load(g.Param("shift"), g.GP64()), 0), some)
	scale := g.loadSome(mem(g.Load(g.Param("scale"), g.GP64()), 0), some)
	g.each(func(soon reg.Register) {
		g.PREFETCHT0(mem(soon, 0))
	}, func(row reg.Register) {
		x := g.loadSome(mem(row, 0), some)
		g.storeSome(g.mul(g.sub(x, shift), scale), mem(g.dst, 0), some)
	})
}

// wide writes the copy of longer rows.
func (g gatherer) wide() {
	g.each(func(soon reg.Register) {
		end, fetch := g.GP64(), g.label("fetch")
		g.LEAQ(at(soon, g.size, 1, 0), end)
		g.Label(fetch)
		g.PREFETCHT0(mem(soon, 0))
		g.ADDQ(Imm(64), soon)
		g.CMPQ(soon, end)
		g.JLT(LabelRef(fetch))
	}, func(row reg.Register) {
		shift := g.Load(g.Param("shift"), g.GP64())
		scale := g.Load(g.Param("scale"), g.GP64())
		n := g.Load(g.Param("cols"), g.GP64())
		g.loop(n, []stream{{at: g.copyOf(g.dst)}}, []stream{{at: row}, {at: shift}, {at: scale}}, 1, func(x []reg.Register) []reg.Register {
			return []reg.Register{g.mul(g.sub(x[0], x[1]), x[2])}
		})
	})
}

// each writes a loop over the rows. fetch is given the address of a row that
// is needed soon, do that of the row whose turn it is.
func (g gatherer) each(fetch, do func(row reg.Register)) {
	again, done := g.label("row"), g.label("rowsdone")
	g.Label(again)
	g.TESTQ(g.left, g.left)
	g.JLE(LabelRef(done))
	soon := g.GP64()
	g.LEAQ(mem(g.rows, 4*ahead), soon)
	g.CMPQ(soon, g.last)
	g.CMOVQHI(g.last, soon)
	fetch(g.row(soon))
	do(g.row(g.rows))
	g.ADDQ(g.size, g.dst)
	g.ADDQ(Imm(4), g.rows)
	g.DECQ(g.left)
	g.JMP(LabelRef(again))
	g.Label(done)
	g.finish()
}

// row returns the address of the row whose number lies at index.
func (g gatherer) row(index reg.Register) reg.Register {
	table, err := g.Param("table").Resolve()
	if err != nil {
		panic(err)
	}
	row := g.GP64()
	g.MOVLQSX(mem(index, 0), row)
	g.IMULQ(g.size, row)
	g.ADDQ(table.Addr, row)
	return row
}
