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

// sumVectors is the number of registers with the lanes of kernels.Sum: 0 to 15.
const sumVectors = sumLanes / lanesPerVector

// sumCols writes the sum of each row.
func (m neon) sumCols() {
	dst := m.parameter("dst")
	from := m.parameter("a")
	rows := m.parameter("m")
	n := m.parameter("n")
	left, place := m.general(), m.general()
	again, done := m.label("row"), m.label("rowsdone")
	m.branch("CBZ", done, rows)
	m.place(again)
	for v := range vec(sumVectors) {
		m.vector("zero", v)
	}
	m.op("MOVD", n, left)
	m.addNumbers(from, left, place)
	m.addLanes(sumVectors)
	m.storePart("FMOVS", 0, at(dst, 0))
	m.op("ADD", immediate(4), dst, dst)
	m.op("SUBS", immediate(1), rows, rows)
	m.branch("BNE", again)
	m.place(done)
	m.writeReturn()
}

// addNumbers adds the numbers that are left to the lanes, and moves from past them.
func (m neon) addNumbers(from, left, place general) {
	loop, tail, summed := m.label("lanes"), m.label("tail"), m.label("summed")
	m.place(loop)
	m.op("CMP", immediate(sumLanes), left)
	m.branch("BLT", tail)
	for v := 0; v < sumVectors; v += 2 {
		x := vec(sumVectors + v%8) // in turns, so that loads need not wait
		m.loadPair(at(from, vectorBytes*v), x, x+1)
		m.vector("fadd.4s", vec(v), vec(v), x)
		m.vector("fadd.4s", vec(v+1), vec(v+1), x+1)
	}
	m.op("ADD", immediate(4*sumLanes), from, from)
	m.op("SUB", immediate(sumLanes), left, left)
	m.branch("B", loop)
	m.place(tail)
	for v := range vec(sumVectors) { // the last vector is not whole
		whole := m.label("whole")
		x := m.newVector()
		m.op("CMP", immediate(lanesPerVector), left)
		m.branch("BGE", whole)
		m.branch("CBZ", summed, left)
		// Lanes without a number add 0: no lane is −0, which that would change, since lanes begin with +0.
		m.vector("fadd.4s", v, v, m.loadFirst(left, from, place))
		m.op("ADD", shifted{left, 2}, from, from)
		m.branch("B", summed)
		m.place(whole)
		m.loadVector(at(from, 0), x)
		m.vector("fadd.4s", v, v, x)
		m.op("ADD", immediate(vectorBytes), from, from)
		m.op("SUB", immediate(lanesPerVector), left, left)
	}
	m.place(summed)
}

// addLanes adds the upper half of the lanes in registers 0, 1, … to the lower half until one is left, in
// lane 0 of register 0.
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

// sumRows writes the sum of each column: for eight vectors of columns at a time while there are as many, then
// four, two and one, and then the columns that remain.
func (m neon) sumRows() {
	s := rowSumNEON{
		neon: m,
		dst:  m.parameter("dst"),
		a:    m.parameter("a"),
		m:    m.parameter("m"),
		n:    m.parameter("n"),
	}
	s.rowSize, s.row, s.left = m.general(), m.general(), m.general()
	m.op("LSL", immediate(2), s.n, s.rowSize)
	for _, vectors := range []int{8, 4, 2, 1} {
		again, under := m.label("columns"), m.label("under")
		m.place(again)
		m.op("CMP", immediate(vectors*lanesPerVector), s.n)
		m.branch("BLT", under)
		s.addColumns(vectors)
		m.branch("B", again)
		m.place(under)
	}
	done := m.label("done")
	m.branch("CBZ", done, s.n)
	s.addLastColumns()
	m.place(done)
	m.writeReturn()
}

// rowSumNEON writes the sums of columns.
type rowSumNEON struct {
	neon
	dst, a    general // addresses of the next columns
	m, n      general // rows; remaining columns
	rowSize   general // bytes per row of a
	row, left general // address of the next row of the columns, and number of rows, to add
}

// addRows writes the loop over the rows: turn adds the row at s.row.
func (s rowSumNEON) addRows(turn func()) {
	again := s.label("row")
	s.op("MOVD", s.a, s.row)
	s.op("MOVD", s.m, s.left)
	s.place(again)
	turn()
	s.op("ADD", s.rowSize, s.row, s.row)
	s.op("SUBS", immediate(1), s.left, s.left)
	s.branch("BNE", again)
}

// addColumns adds the rows of a to dst in the next vectors of columns.
func (s rowSumNEON) addColumns(vectors int) {
	sums := make([]vec, vectors)
	for v := range sums {
		sums[v] = s.newVector()
		s.loadVector(at(s.dst, vectorBytes*v), sums[v])
	}
	s.addRows(func() {
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
	s.op("SUB", immediate(vectors*lanesPerVector), s.n, s.n)
}

// addLastColumns adds the rows of a to dst in the last 1, 2 or 3 columns.
func (s rowSumNEON) addLastColumns() {
	place := s.general()
	sum := s.copyOf(s.loadFirst(s.n, s.dst, place))
	s.addRows(func() { s.vector("fadd.4s", sum, sum, s.loadFirst(s.n, s.row, place)) })
	s.storeFirst(s.n, sum, s.dst, place)
	s.release(place)
}
