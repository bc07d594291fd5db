package main

import "fmt"

// neonSums writes the loops over the terms of a tile's sums. Each multiplies vectors of a row of B by an
// element of A, which is a lane of a register and needs no copying to all lanes. The three loops differ in
// how they read A:
//
//   - by columns, two terms at a time, if the elements of a column are neighbours;
//   - by rows, four terms at a time, if the elements of a row are neighbours;
//   - element by element, for the terms after these loops, and for other matrices.
type neonSums struct {
	*neonProduct
	rows int // rows of the tile

	k          general   // remaining terms
	a          []general // addresses of the elements of A in the tile's rows
	index      general   // distance from these addresses to the next term
	aRow, aCol general   // distances between elements of A
	b          general   // address of the row of B
	ldb        general   // distance between rows of B
}

// Terms that the loops add at a time.
const (
	termsByColumns = 2
	termsByRows    = 4
)

// writeSums writes the loops over the terms of the sums.
func (p *neonProduct) writeSums(rows int) {
	s := &neonSums{neonProduct: p, rows: rows}
	s.loadOperands()
	byRows := s.label("byrows")
	byElement := s.label("byelement")
	end := s.label("summed")
	if rows > 1 {
		s.op("CMP", immediate(4), s.aRow)
		s.branch("BNE", byRows)
		s.loop(termsByColumns, byRows, s.addByColumns)
		s.place(byRows)
	}
	s.setRowAddresses()
	s.op("CMP", immediate(4), s.aCol)
	s.branch("BNE", byElement)
	s.loop(termsByRows, byElement, s.addByRows)
	s.place(byElement)
	s.branch("CBZ", end, s.k)
	again := s.label("element")
	s.place(again)
	s.addByElement()
	s.op("SUBS", immediate(1), s.k)
	s.branch("BNE", again)
	s.place(end)
}

// loadOperands loads addresses and distances from kernels.tile. The address of A is that of the tile's
// first row.
func (s *neonSums) loadOperands() {
	s.k = s.general()
	s.aRow = s.general()
	s.aCol = s.general()
	s.b = s.general()
	s.ldb = s.general()
	s.index = s.general()
	for range s.rows {
		s.a = append(s.a, s.general())
	}
	first := s.a[0]
	s.op("MOVD", at(s.t, tARow), s.aRow)
	s.op("MOVD", at(s.t, tA), first)
	s.op("MUL", s.neonProduct.row, s.aRow, s.index)
	s.op("ADD", s.index, first)
	s.op("MOVD", at(s.t, tACol), s.aCol)
	s.op("MOVD", at(s.t, tB), s.b)
	s.op("ADD", s.col, s.b)
	s.op("MOVD", at(s.t, tLDB), s.ldb)
	s.op("MOVD", at(s.t, tK), s.k)
}

// setRowAddresses sets the addresses of A's rows from the address of the first row.
func (s *neonSums) setRowAddresses() {
	s.op("MOVD", immediate(0), s.index)
	for i := 1; i < s.rows; i++ {
		s.op("ADD", s.aRow, s.a[i-1], s.a[i])
	}
}

// loop writes a loop of body, which adds a number of terms, a power of two. The terms that are left are
// the remaining ones after it. It jumps to none if there are too few.
func (s *neonSums) loop(terms int, none string, body func()) {
	shift := map[int]int{2: 1, 4: 2}[terms]
	rounds := s.general()
	s.op("LSR", immediate(shift), s.k, rounds)
	s.branch("CBZ", none, rounds)
	s.op("AND", immediate(terms-1), s.k)
	again := s.label("terms")
	s.comment(fmt.Sprintf("Loop over %d terms of %d rows and %d vectors of %d columns", terms, s.rows, s.neon.vectors, s.neon.lanes))
	s.place(again)
	body()
	s.op("SUBS", immediate(1), rounds)
	s.branch("BNE", again)
	s.release(rounds)
}

// addByColumns adds two terms. The elements of A in a column are neighbours.
func (s *neonSums) addByColumns() {
	registers := (s.rows + 3) / 4 // of a column of A
	for range termsByColumns {
		s.loadColumn()
		s.op("ADD", s.aCol, s.a[0])
		s.addTerm(registers, func(i int) (vec, int) { return s.operand(i / 4), i % 4 })
	}
}

// operand returns register n of those after the accumulators.
func (s *neonSums) operand(n int) vec { return s.neonProduct.operand(s.rows, n) }

// loadColumn loads the tile's elements of a column of A to the operand registers, four to each.
func (s *neonSums) loadColumn() {
	column := s.a[0]
	n := 0 // elements so far
	for ; s.rows-n >= 8; n += 8 {
		s.loadPair(at(column, 4*n), s.operand(n/4), s.operand(n/4+1))
	}
	if s.rows-n >= 4 {
		s.loadVector(at(column, 4*n), s.operand(n/4))
		n += 4
	}
	switch s.rows - n {
	case 1:
		s.loadPart("FMOVS", at(column, 4*n), s.operand(n/4))
	case 2:
		s.loadPart("FMOVD", at(column, 4*n), s.operand(n/4))
	}
}

// addByRows adds four terms. The elements of A in a row are neighbours.
func (s *neonSums) addByRows() {
	for i := range s.rows {
		s.loadIndexed(4, s.a[i], s.index, s.operand(i))
	}
	s.op("ADD", immediate(4*termsByRows), s.index)
	for term := range termsByRows {
		s.addTerm(s.rows, func(i int) (vec, int) { return s.operand(i), term })
	}
}

// addTerm adds a term. element returns the register and lane of the element of A in row i, which is one of
// the first operand registers; the others receive the row of B, one vector or a pair at a time.
func (s *neonSums) addTerm(first int, element func(i int) (vec, int)) {
	others := s.operands(s.rows) - first
	turn := 0
	register := func(n int) vec { return s.operand(first + n%others) }
	for v := 0; v < s.neon.vectors; {
		count := 1
		if s.isPair(v) && others > 1 {
			count = 2
			s.loadPair(at(s.b, 16*v), register(turn), register(turn+1))
		} else {
			s.loadOne(s.b, v, register(turn))
		}
		for n := range count {
			for i := range s.rows {
				x, lane := element(i)
				s.fmlaLane(s.accumulator(i, v+n), register(turn+n), x, lane)
			}
		}
		v += count
		turn += count
	}
	s.op("ADD", s.ldb, s.b)
}

// addByElement adds a term. The elements of A may be anywhere.
func (s *neonSums) addByElement() {
	s.loadRow(s.b, s.operand)
	vectors := s.neon.vectors
	turns := s.operands(s.rows) - vectors
	for i := range s.rows {
		x := s.operand(vectors + i%turns)
		s.loadIndexed(1, s.a[i], s.index, x)
		for v := range vectors {
			s.fmlaLane(s.accumulator(i, v), s.operand(v), x, 0)
		}
	}
	s.op("ADD", s.aCol, s.index)
	s.op("ADD", s.ldb, s.b)
}
