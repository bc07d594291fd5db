package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sumLanes is the number of lanes of kernels.Sum.
const sumLanes = 64

// reduce writes the kernels of sums.
func reduce(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.sumCols("sumCols" + suffix)
		m.sumRows("sumRows" + suffix)
	})
}

// sumCols writes the sum of each row.
func (m avx) sumCols(name string) {
	m.function(name, "dst, a *float32, m, n int", "is kernels.SumCols.")
	dst := m.Load(m.Param("dst"), m.GP64())
	a := m.Load(m.Param("a"), m.GP64())
	rows := m.Load(m.Param("m"), m.GP64())
	n := m.Load(m.Param("n"), m.GP64())
	l := laneSum{avx: m, n: sumLanes, isSum: true}
	l.setTailMasks(n)
	again := m.label("row")
	done := m.label("rowsdone")
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
func (m avx) sumRows(name string) {
	m.function(name, "dst, a *float32, m, n int", "adds the m rows of a to dst.")
	s := rowSum{avx: m}
	s.dst = m.Load(m.Param("dst"), m.GP64())
	s.a = m.Load(m.Param("a"), m.GP64())
	s.n = m.Load(m.Param("n"), m.GP64())
	s.rowSize = m.copyRegister(s.n)
	m.SHLQ(Imm(2), s.rowSize)
	done := m.label("done")
	for _, vectors := range []int{4, 2, 1} {
		again := m.label("columns")
		under := m.label("under")
		m.Label(again)
		m.CMPQ(s.n, Imm(uint64(s.columns(vectors))))
		m.JLT(LabelRef(under))
		s.addColumns(vectors, nil)
		m.JMP(LabelRef(again))
		m.Label(under)
	}
	m.TESTQ(s.n, s.n)
	m.JLE(LabelRef(done))
	s.addColumns(1, m.firstLanes(s.n))
	m.Label(done)
	m.writeReturn()
}

// rowSum writes the sums of columns.
type rowSum struct {
	avx
	dst, a  reg.Register // addresses of the next columns
	n       reg.Register // remaining columns
	rowSize reg.Register // bytes per row of a
}

// columns returns the number of columns in a number of vectors.
func (s rowSum) columns(vectors int) int { return vectors * s.bytes() / 4 }

// addColumns adds the rows of a to dst in the selected lanes of the next vectors of columns.
func (s rowSum) addColumns(vectors int, lanes laneMask) {
	sums := make([]vector, vectors)
	for v := range sums {
		sums[v] = s.loadLanes(address(s.dst, s.bytes()*v), lanes)
	}
	row := s.copyRegister(s.a)
	rows := s.GP64()
	again := s.label("row")
	s.Load(s.Param("m"), rows)
	s.Label(again)
	for v, sum := range sums {
		numbers := address(row, s.bytes()*v)
		if lanes == nil {
			s.VADDPS(numbers, sum, sum)
		} else {
			s.VADDPS(s.loadLanes(numbers, lanes), sum, sum)
		}
	}
	s.ADDQ(s.rowSize, row)
	s.DECQ(rows)
	s.JNE(LabelRef(again))
	for v, sum := range sums {
		s.storeLanes(sum, address(s.dst, s.bytes()*v), lanes)
	}
	s.ADDQ(U32(vectors*s.bytes()), s.dst)
	s.ADDQ(U32(vectors*s.bytes()), s.a)
	s.SUBQ(Imm(uint64(s.columns(vectors))), s.n)
}
