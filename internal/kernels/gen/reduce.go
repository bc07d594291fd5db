package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sumLanes is the number of lanes of kernels.Sum.
const sumLanes = 64

// reduce writes the kernels of sums.
func reduce(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.sumCols("sumCols" + suffix)
		m.sumRows("sumRows" + suffix)
	})
}

// sumCols writes the sum of each row.
func (m vectorMath) sumCols(name string) {
	m.function(name, "dst, a *float32, m, n int", "is kernels.SumCols.")
	dst := m.Load(m.Param("dst"), m.GP64())
	a := m.Load(m.Param("a"), m.GP64())
	rows := m.Load(m.Param("m"), m.GP64())
	n := m.Load(m.Param("n"), m.GP64())
	l := laneSum{vectorMath: m, n: sumLanes, isSum: true}
	l.setTailMasks(n)
	again, done := m.label("row"), m.label("rowsdone")
	m.Label(again)
	m.TESTQ(rows, rows)
	m.JLE(LabelRef(done))
	l.clear()
	l.addNumbers(m.copyRegister(n), m.copyRegister(a), nil)
	l.addLanes()
	m.VMOVSS(reg.X0, address(dst, 0))
	m.ADDQ(Imm(4), dst)
	m.LEAQ(indexedAddress(a, n, 4, 0), a)
	m.DECQ(rows)
	m.JMP(LabelRef(again))
	m.Label(done)
	m.writeReturn()
}

// sumRows writes the sum of each column: for four vectors of columns at a time while there are as
// many, then two, then one.
func (m vectorMath) sumRows(name string) {
	m.function(name, "dst, a *float32, m, n int", "adds the m rows of a to dst.")
	dst := m.Load(m.Param("dst"), m.GP64())
	a := m.Load(m.Param("a"), m.GP64())
	n := m.Load(m.Param("n"), m.GP64())
	size := m.copyRegister(n)
	m.SHLQ(Imm(2), size)
	width := m.bytes() / 4
	done := m.label("done")
	addColumns := func(vectors int, lanes laneMask) {
		sums := make([]reg.Register, vectors)
		for v := range sums {
			sums[v] = m.loadLanes(address(dst, m.bytes()*v), lanes)
		}
		p, rows, again := m.copyRegister(a), m.GP64(), m.label("row")
		m.Load(m.Param("m"), rows)
		m.Label(again)
		for v, s := range sums {
			from := address(p, m.bytes()*v)
			if lanes == nil {
				m.VADDPS(from, s, s)
			} else {
				m.VADDPS(m.loadLanes(from, lanes), s, s)
			}
		}
		m.ADDQ(size, p)
		m.DECQ(rows)
		m.JNE(LabelRef(again))
		for v, s := range sums {
			m.storeLanes(s, address(dst, m.bytes()*v), lanes)
		}
		m.ADDQ(U32(vectors*m.bytes()), dst)
		m.ADDQ(U32(vectors*m.bytes()), a)
		m.SUBQ(Imm(uint64(vectors*width)), n)
	}
	for _, vectors := range []int{4, 2, 1} {
		again, under := m.label("columns"), m.label("under")
		m.Label(again)
		m.CMPQ(n, Imm(uint64(vectors*width)))
		m.JLT(LabelRef(under))
		addColumns(vectors, nil)
		m.JMP(LabelRef(again))
		m.Label(under)
	}
	m.TESTQ(n, n)
	m.JLE(LabelRef(done))
	addColumns(1, m.firstLanes(n))
	m.Label(done)
	m.writeReturn()
}
