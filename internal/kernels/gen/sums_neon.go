package main

import "fmt"

// sumsNEON writes the loops that add the terms of a tile's sums. Term p of the element in row i and column j is
// A[i,p]·B[p,j]. One instruction adds a term to four columns: it multiplies a vector of B's row p by A[i,p], which is
// one lane of a register, and adds the products to an accumulator. Elements of A that are neighbours in memory are
// loaded together, four to a register, so that there are three loops:
//
//   - by columns, if neighbouring rows of A are neighbours in memory: one load has A[i,p] for four rows i;
//   - by rows, if neighbouring columns of A are neighbours in memory: one load has A[i,p] for four terms p;
//   - by elements, for the terms that remain after these loops, and for other matrices.
type sumsNEON struct {
	*productNEON
	rows int // rows of the tile

	terms      general   // number of remaining terms
	a          []general // address, for each row of the tile, of its first term in A
	term       general   // distance from these addresses to the next term in bytes
	aRow, aCol general   // distances between rows and columns of A in bytes
	b          general   // address of the panel's columns in the next row of B
	bRow       general   // distance between rows of B in bytes
}

// Terms per turn of the loops.
const (
	termsByColumns = 2
	termsByRows    = 4
)

// writeSums writes the loops over the terms of the sums. It chooses among them when the kernel runs, by the distances
// between elements of A.
func (p *productNEON) writeSums(rows int) {
	s := &sumsNEON{productNEON: p, rows: rows}
	s.loadOperands()
	byRows := s.label("byrows")
	byElement := s.label("byelement")
	end := s.label("summed")
	if rows > 1 {
		s.op("CMP", immediate(4), s.aRow) // bytes of a float32: the rows are neighbours
		s.branch("BNE", byRows)
		s.loop(termsByColumns, byRows, s.addByColumns)
		s.place(byRows)
	}
	s.setRowAddresses()
	s.op("CMP", immediate(4), s.aCol)
	s.branch("BNE", byElement)
	s.loop(termsByRows, byElement, s.addByRows)
	s.place(byElement)
	s.branch("CBZ", end, s.terms)
	again := s.label("element")
	s.place(again)
	s.addByElement()
	s.op("SUBS", immediate(1), s.terms)
	s.branch("BNE", again)
	s.place(end)
}

// loadOperands loads addresses and distances from the kernels.tile. Of the addresses in A, it sets the first row's.
func (s *sumsNEON) loadOperands() {
	s.terms = s.general()
	s.aRow = s.general()
	s.aCol = s.general()
	s.b = s.general()
	s.bRow = s.general()
	s.term = s.general()
	for range s.rows {
		s.a = append(s.a, s.general())
	}
	first := s.a[0]
	s.op("MOVD", at(s.tile, tARow), s.aRow)
	s.op("MOVD", at(s.tile, tA), first)
	s.op("MUL", s.row, s.aRow, s.term)
	s.op("ADD", s.term, first)
	s.op("MOVD", at(s.tile, tACol), s.aCol)
	s.op("MOVD", at(s.tile, tB), s.b)
	s.op("ADD", s.column, s.b)
	s.op("MOVD", at(s.tile, tLDB), s.bRow)
	s.op("MOVD", at(s.tile, tK), s.terms)
}

// setRowAddresses sets the addresses in A of the rows after the first one.
func (s *sumsNEON) setRowAddresses() {
	s.op("MOVD", immediate(0), s.term)
	for i := 1; i < s.rows; i++ {
		s.op("ADD", s.aRow, s.a[i-1], s.a[i])
	}
}

// loop writes a loop of body, which adds a number of terms, 2 or 4. The loop leaves fewer terms than that. It jumps to
// tooFew if there are fewer at the start.
func (s *sumsNEON) loop(terms int, tooFew string, body func()) {
	shift := map[int]int{2: 1, 4: 2}[terms]
	turns := s.general()
	s.op("LSR", immediate(shift), s.terms, turns)
	s.branch("CBZ", tooFew, turns)
	s.op("AND", immediate(terms-1), s.terms)
	again := s.label("terms")
	s.comment(fmt.Sprintf("Loop over %d terms of %d rows and %d vectors of %d columns", terms, s.rows, s.panel.vectors, s.panel.lanes))
	s.place(again)
	body()
	s.op("SUBS", immediate(1), turns)
	s.branch("BNE", again)
	s.release(turns)
}

// laneOfA is an element of A in a register.
type laneOfA struct {
	register vec
	lane     int
}

// addByColumns adds two terms. Neighbouring rows of A are neighbours in memory.
func (s *sumsNEON) addByColumns() {
	registers := (s.rows + 3) / 4 // with a column of A
	for range termsByColumns {
		s.loadColumn()
		s.op("ADD", s.aCol, s.a[0])
		s.addTerm(registers, func(i int) laneOfA { return laneOfA{s.operand(i / 4), i % 4} })
	}
}

// operand returns operand register n: see productNEON.
func (s *sumsNEON) operand(n int) vec { return s.productNEON.operand(s.rows, n) }

// loadColumn loads the next column of A, in the rows of the tile, to the first operand registers: four elements to each.
func (s *sumsNEON) loadColumn() {
	column := s.a[0]
	n := 0 // number of elements so far
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

// addByRows adds four terms. Neighbouring columns of A are neighbours in memory.
func (s *sumsNEON) addByRows() {
	for i := range s.rows {
		s.loadIndexed(4, s.a[i], s.term, s.operand(i))
	}
	s.op("ADD", immediate(4*termsByRows), s.term)
	for lane := range termsByRows {
		s.addTerm(s.rows, func(i int) laneOfA { return laneOfA{s.operand(i), lane} })
	}
}

// addTerm adds a term to all accumulators. element returns the element of A in row i, in one of the first operand
// registers, whose number is registersOfA. The row of B goes through the other operand registers, one vector or a pair
// at a time, so that a load need not wait until the instructions before it have read its register.
func (s *sumsNEON) addTerm(registersOfA int, element func(i int) laneOfA) {
	others := s.operands(s.rows) - registersOfA
	registerOfB := func(v int) vec { return s.operand(registersOfA + v%others) }
	for v := 0; v < s.panel.vectors; {
		count := 1
		if s.isPair(v) && others > 1 {
			count = 2
			s.loadPair(at(s.b, 16*v), registerOfB(v), registerOfB(v+1))
		} else {
			s.loadOne(s.b, v, registerOfB(v))
		}
		for n := v; n < v+count; n++ {
			s.addProducts(n, registerOfB(n), element)
		}
		v += count
	}
	s.op("ADD", s.bRow, s.b)
}

// addProducts adds the products of vector v of a row of B, which is in the register b, with an element of A in each row
// of the tile.
func (s *sumsNEON) addProducts(v int, b vec, element func(i int) laneOfA) {
	for i := range s.rows {
		x := element(i)
		s.fmlaLane(s.accumulator(i, v), b, x.register, x.lane)
	}
}

// addByElement adds a term. The elements of A may be anywhere, and each is loaded by itself.
func (s *sumsNEON) addByElement() {
	s.loadRow(s.b, s.operand)
	vectors := s.panel.vectors
	others := s.operands(s.rows) - vectors // registers for A, in turns
	for i := range s.rows {
		x := s.operand(vectors + i%others)
		s.loadIndexed(1, s.a[i], s.term, x)
		for v := range vectors {
			s.fmlaLane(s.accumulator(i, v), s.operand(v), x, 0)
		}
	}
	s.op("ADD", s.aCol, s.term)
	s.op("ADD", s.bRow, s.b)
}
