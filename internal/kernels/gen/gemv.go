package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemv writes the product of a matrix and a vector, c[i] = Σ_p a[i,p]·x[p] or c[i] + Σ, with sums in
// 16 lanes.
func gemv(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.function("gemv"+suffix, "c *float32, ldc int, a *float32, lda int, x *float32, m, k, accumulate int",
			"multiplies m rows of k numbers with a vector; distances are in bytes.")
		c := m.Load(m.Param("c"), m.GP64())
		ldc := m.Load(m.Param("ldc"), m.GP64())
		a := m.Load(m.Param("a"), m.GP64())
		lda := m.Load(m.Param("lda"), m.GP64())
		x := m.Load(m.Param("x"), m.GP64())
		rows := m.Load(m.Param("m"), m.GP64())
		k := m.Load(m.Param("k"), m.GP64())
		accumulate := m.Load(m.Param("accumulate"), m.GP64())
		l := laneSum{avx: m, n: 16}
		l.setTailMasks(k)

		again := m.label("row")
		done := m.label("done")
		m.Label(again)
		m.TESTQ(rows, rows)
		m.JLE(LabelRef(done))
		l.clear()
		l.addNumbers(m.copyRegister(k), m.copyRegister(a), m.copyRegister(x))
		l.addLanes()
		start, add := reg.X1, m.label("add") // start is what the sum is added to: 0, or c
		m.VXORPS(start, start, start)
		m.TESTQ(accumulate, accumulate)
		m.JEQ(LabelRef(add))
		m.VMOVSS(address(c, 0), start)
		m.Label(add)
		m.VADDSS(reg.X0, start, reg.X0)
		m.VMOVSS(reg.X0, address(c, 0))
		m.ADDQ(lda, a)
		m.ADDQ(ldc, c)
		m.DECQ(rows)
		m.JMP(LabelRef(again))
		m.Label(done)
		m.writeReturn()
	})
}
