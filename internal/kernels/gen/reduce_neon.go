package main

// reduceNEON writes the kernels of sums for arm64.
func reduceNEON(a *assembler) {
	m := newNEON(a)
	m.function("sumColsNEON", "dst, a *float32, m, n int", "is kernels.SumCols.")
	m.sumCols()
	m.finish()
	m.function("sumRowsNEON", "dst, a *float32, m, n int", "adds the m rows of a to dst.")
	m.sumRows()
	m.finish()
}

// sumVectors is the number of registers with the lanes of kernels.Sum: vector registers 0 to 15.
const sumVectors = sumLanes / lanesPerVector

// sumCols writes the sum of each row of a, in the lanes of kernels.Sum.
func (m neon) sumCols() {
	dst := m.parameter("dst")
	from := m.parameter("a")
	rows := m.parameter("m")
	n := m.parameter("n")
	remaining, scratch := m.general(), m.general()
	again, done := m.label("row"), m.label("rowsdone")
	m.branch("CBZ", done, rows)
	m.place(again)
	for v := range vec(sumVectors) {
		m.vector("zero", v)
	}
	m.op("MOVD", n, remaining)
	m.addNumbers(from, remaining, scratch)
	m.addLanes(sumVectors)
	m.storePart("FMOVS", 0, at(dst, 0))
	m.op("ADD", immediate(4), dst, dst)
	m.op("SUBS", immediate(1), rows, rows)
	m.branch("BNE", again)
	m.place(done)
	m.writeReturn()
}

// addNumbers adds the remaining numbers of a row, the first at the address from, to the lanes: 64 at a time while as
// many remain. It changes all three registers; from becomes the address of the next row.
func (m neon) addNumbers(from, remaining, scratch general) {
	loop, tail := m.label("lanes"), m.label("tail")
	summed := m.label("summed")
	m.place(loop)
	m.op("CMP", immediate(sumLanes), remaining)
	m.branch("BLT", tail)
	for v := 0; v < sumVectors; v += 2 {
		x := vec(sumVectors + v%8) // four pairs of registers in turns, so that loads need not wait
		m.loadPair(at(from, vectorBytes*v), x, x+1)
		m.vector("fadd.4s", vec(v), vec(v), x)
		m.vector("fadd.4s", vec(v+1), vec(v+1), x+1)
	}
	m.op("ADD", immediate(4*sumLanes), from, from)
	m.op("SUB", immediate(sumLanes), remaining, remaining)
	m.branch("B", loop)
	m.place(tail)
	for v := range vec(sumVectors) {
		m.addTailVector(v, from, remaining, scratch, summed)
	}
	m.place(summed)
}

// addTailVector adds the next four numbers of a row to vector v of the lanes. If fewer remain it adds these, with 0 in
// the other lanes, and jumps to summed. Adding 0 changes no lane: only −0 would change, and sums that begin with +0 are
// never −0.
func (m neon) addTailVector(v vec, from, remaining, scratch general, summed string) {
	full := m.label("whole")
	x := m.newVector()
	m.op("CMP", immediate(lanesPerVector), remaining)
	m.branch("BGE", full)
	m.branch("CBZ", summed, remaining)
	m.vector("fadd.4s", v, v, m.loadFirst(remaining, from, scratch))
	m.op("ADD", shifted{remaining, 2}, from, from)
	m.branch("B", summed)
	m.place(full)
	m.loadVector(at(from, 0), x)
	m.vector("fadd.4s", v, v, x)
	m.op("ADD", immediate(vectorBytes), from, from)
	m.op("SUB", immediate(lanesPerVector), remaining, remaining)
}

// addLanes adds the lanes in vector registers 0, 1, … as kernels.addLanes does: the upper half to the lower half, until
// one lane is left. The sum is in lane 0 of register 0.
func (a *assembler) addLanes(vectors vec) {
	for half := vectors / 2; half > 0; half /= 2 {
		for i := range half {
			a.vector("fadd.4s", i, i, i+half)
		}
	}
	for _, upper := range []string{"D[1]", "S[1]"} { // lanes 2 and 3, then lane 1
		x := a.newVector()
		a.duplicate(x, 0, upper)
		a.vector("fadd.4s", 0, 0, x)
	}
}

// sumRows writes the sum of each column of a: for eight vectors of columns at a time while as many columns remain, then
// for four, two and one vector, then for the last 1, 2 or 3 columns.
func (m neon) sumRows() {
	s := rowSumNEON{
		neon:    m,
		dst:     m.parameter("dst"),
		a:       m.parameter("a"),
		rows:    m.parameter("m"),
		columns: m.parameter("n"),
	}
	s.rowSize, s.row, s.remaining = m.general(), m.general(), m.general()
	m.op("LSL", immediate(2), s.columns, s.rowSize)
	for _, vectors := range []int{8, 4, 2, 1} {
		again, under := m.label("columns"), m.label("under")
		m.place(again)
		m.op("CMP", immediate(vectors*lanesPerVector), s.columns)
		m.branch("BLT", under)
		s.addColumns(vectors)
		m.branch("B", again)
		m.place(under)
	}
	done := m.label("done")
	m.branch("CBZ", done, s.columns)
	s.addLastColumns()
	m.place(done)
	m.writeReturn()
}

// rowSumNEON writes the sums of columns.
type rowSumNEON struct {
	neon
	dst     general // address of the sums of the next columns
	a       general // address of the next columns in the first row of a
	rows    general // number of rows
	columns general // number of columns whose sums are not written yet
	rowSize general // bytes per row of a

	row       general // address of the next columns in the next row of a
	remaining general // number of rows to add
}

// forEachRow writes a loop over the rows: add writes the code that adds the numbers at the address s.row.
func (s rowSumNEON) forEachRow(add func()) {
	again := s.label("row")
	s.op("MOVD", s.a, s.row)
	s.op("MOVD", s.rows, s.remaining)
	s.place(again)
	add()
	s.op("ADD", s.rowSize, s.row, s.row)
	s.op("SUBS", immediate(1), s.remaining, s.remaining)
	s.branch("BNE", again)
}

// addColumns adds all rows of a to dst, in the columns of the next vectors, and moves past them.
func (s rowSumNEON) addColumns(vectors int) {
	sums := make([]vec, vectors)
	for v := range sums {
		sums[v] = s.newVector()
		s.loadVector(at(s.dst, vectorBytes*v), sums[v])
	}
	s.forEachRow(func() {
		for v, sum := range sums {
			x := s.newVector()
			s.loadVector(at(s.row, vectorBytes*v), x)
			s.vector("fadd.4s", sum, sum, x)
		}
	})
	for v, sum := range sums {
		s.storeVector(sum, at(s.dst, vectorBytes*v))
	}
	s.op("ADD", immediate(vectors*vectorBytes), s.dst, s.dst)
	s.op("ADD", immediate(vectors*vectorBytes), s.a, s.a)
	s.op("SUB", immediate(vectors*lanesPerVector), s.columns, s.columns)
}

// addLastColumns adds all rows of a to dst, in the last 1, 2 or 3 columns.
func (s rowSumNEON) addLastColumns() {
	scratch := s.general()
	sum := s.copyOf(s.loadFirst(s.columns, s.dst, scratch))
	s.forEachRow(func() { s.vector("fadd.4s", sum, sum, s.loadFirst(s.columns, s.row, scratch)) })
	s.storeFirst(s.columns, sum, s.dst, scratch)
	s.release(scratch)
}
