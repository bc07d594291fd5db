package main

import (
	"fmt"
	"slices"
)

// gemmNEON writes the kernel of matrix products for arm64: see kernels.Gemm for the formula. Like gemm, it divides C
// into panels of columns, from left to right, and each panel into tiles of rows, from the top. A tile is small enough
// to stay in registers, its accumulators, while the terms of its sums are added and the epilogue is applied:
//
//	for each panel, of 20 columns or fewer
//		for each tile of the panel, of 10 rows or fewer
//			accumulators = 0 or C                      writeInitialSums
//			for each term p
//				accumulators += A[rows,p]·B[p,columns]  writeSums
//			bias, ReLU, mask and gate                  writeEpilogue
//			C or Masked = accumulators                 writeResult
//
// NEON cannot load or store a part of a vector, as amd64 does with masks. If the number of columns is no multiple of
// 4, the last vector of a panel therefore begins early enough to end with the last column. It overlaps the vector
// before it, and both compute the columns that they share: a product of 50 columns computes 52.
func gemmNEON(a *assembler) {
	a.function("gemmNEON", "t *tile", "computes the product that t describes.")
	p := &productNEON{assembler: a}
	p.write()
	a.finish()
}

// productNEON writes the kernel of matrix products for arm64.
//
// A tile of r rows and v vectors has its accumulators in vector registers 0 to r·v − 1, row after row. The registers
// after them are the operand registers, for A, B and the epilogue.
type productNEON struct {
	*assembler

	tile       general   // address of the kernels.tile, the description of the product
	column     general   // offset of the panel's first column from the start of a row, in bytes
	columns    general   // number of columns from the panel's first one to the last of C
	row        general   // index of the first row of the current tile
	lastVector general   // offset of the panel's last vector from the panel's first column, in bytes
	panel      panelNEON // shape of the current panel
}

// panelNEON is the shape of a panel. All its vectors are full, and only the last may overlap the one before it.
type panelNEON struct {
	vectors int   // vectors per row
	lanes   int   // columns per vector: 4, or fewer in a panel of 1 to 3 columns
	rows    []int // numbers of rows of the tiles, largest first
}

// panelsNEON are the shapes of panels. A CPU with four multiply-adds at a time, of four cycles each, needs at least 16
// independent sums to be busy. The largest tiles therefore have 18 to 25 accumulators, if there are enough columns,
// which leaves at least 7 registers for A and B.
var panelsNEON = []panelNEON{
	{vectors: 5, lanes: 4, rows: []int{5, 4, 2, 1}},
	{vectors: 4, lanes: 4, rows: []int{6, 4, 2, 1}},
	{vectors: 3, lanes: 4, rows: []int{6, 4, 2, 1}},
	{vectors: 2, lanes: 4, rows: []int{10, 4, 2, 1}},
	{vectors: 1, lanes: 4, rows: []int{10, 4, 2, 1}},
	{vectors: 2, lanes: 2, rows: []int{10, 4, 2, 1}},
	{vectors: 1, lanes: 2, rows: []int{10, 4, 2, 1}},
	{vectors: 1, lanes: 1, rows: []int{10, 4, 2, 1}},
}

// panelChoices chooses the shape of the next panel: the first one whose minimum the remaining columns reach. The
// choices avoid a narrow panel at the end: 13 vectors are divided into 4, 4 and 5, and 6 vectors into 3 and 3.
var panelChoices = []struct {
	minColumns int
	panel      int // index in panelsNEON
}{
	{25, 1}, {21, 2}, {17, 0}, {13, 1}, {9, 2}, {5, 3}, {4, 4}, {3, 5}, {2, 6}, {1, 7},
}

// write writes the whole function: a loop over the panels, which jumps to the code for the shape of each panel.
func (p *productNEON) write() {
	p.tile = p.parameter("t")
	p.column = p.general()
	p.columns = p.general()
	p.row = p.general()
	p.lastVector = p.general()
	p.op("MOVD", immediate(0), p.column)
	p.op("MOVD", at(p.tile, tN), p.columns)
	next := p.label("panel")
	done := p.label("done")
	shapes := make([]string, len(panelsNEON)) // labels
	for i := range shapes {
		shapes[i] = p.label("columns")
	}
	p.place(next)
	for _, choice := range panelChoices {
		p.op("CMP", immediate(choice.minColumns), p.columns)
		p.branch("BGE", shapes[choice.panel])
	}
	p.branch("B", done)
	for i, panel := range panelsNEON {
		p.panel = panel
		p.place(shapes[i])
		p.comment(fmt.Sprintf("Panel of %d vectors of %d columns", panel.vectors, panel.lanes))
		p.writePanel()
		width := immediate(panel.vectors * panel.lanes)
		p.op("ADD", 4*width, p.column)
		p.op("SUBS", width, p.columns)
		p.branch("BGT", next)
		p.op("RET")
	}
	p.place(done)
	p.op("RET")
}

// writePanel writes one panel: tiles of the largest number of rows while as many are left, then tiles of fewer rows.
func (p *productNEON) writePanel() {
	p.setLastVector()
	p.op("MOVD", immediate(0), p.row)
	for i, rows := range p.panel.rows {
		again := p.label("rows")
		end := p.label("end")
		p.place(again)
		p.temporarily(func() {
			remaining := p.general()
			p.op("MOVD", at(p.tile, tM), remaining)
			p.op("SUB", p.row, remaining)
			p.op("CMP", immediate(rows), remaining)
			p.branch("BLT", end)
		})
		p.writeTile(rows)
		p.op("ADD", immediate(rows), p.row)
		mayRepeat := i == 0 || p.panel.rows[i-1] > 2*rows
		if mayRepeat {
			p.branch("B", again)
		}
		p.place(end)
	}
}

// setLastVector sets the offset of the panel's last vector, so that it ends with the last column of the panel or of C.
func (p *productNEON) setLastVector() {
	if p.panel.vectors == 1 {
		return
	}
	width := p.general()
	p.op("MOVD", immediate(p.panel.vectors*p.panel.lanes), width)
	p.op("CMP", width, p.columns)
	p.op("CSEL LT,", p.columns, width, p.lastVector) // the smaller of both
	p.release(width)
	p.op("SUB", immediate(p.panel.lanes), p.lastVector)
	p.op("LSL", immediate(2), p.lastVector)
}

// temporarily writes body and then releases the general registers that it took.
func (p *productNEON) temporarily(body func()) {
	free := slices.Clone(p.free)
	body()
	p.free = free
}

// ifSet writes body and a branch around it, which the CPU takes if a field of the kernels.tile is 0.
func (p *productNEON) ifSet(field int, body func()) {
	skip := p.label("skip")
	p.temporarily(func() {
		value := p.general()
		p.op("MOVD", at(p.tile, field), value)
		p.branch("CBZ", skip, value)
	})
	p.temporarily(body)
	p.place(skip)
}

// accumulator returns the register of vector v of the tile's row i.
func (p *productNEON) accumulator(i, v int) vec { return vec(i*p.panel.vectors + v) }

// operand returns operand register n of a tile: register n after the accumulators.
func (p *productNEON) operand(rows, n int) vec { return vec(rows*p.panel.vectors + n) }

// operands returns the number of operand registers of a tile.
func (p *productNEON) operands(rows int) int { return vectorCount - rows*p.panel.vectors }

// forEachVector calls write for each vector v of each row i of a tile.
func (p *productNEON) forEachVector(rows int, write func(i, v int)) {
	for i := range rows {
		for v := range p.panel.vectors {
			write(i, v)
		}
	}
}

// writeTile writes one tile of the given number of rows.
func (p *productNEON) writeTile(rows int) {
	p.writeInitialSums(rows)
	p.temporarily(func() { p.writeSums(rows) })
	p.writeEpilogue(rows)
	p.temporarily(func() { p.writeResult(rows) })
}

// writeInitialSums sets the accumulators to C if the product is added to it, and to 0 otherwise.
func (p *productNEON) writeInitialSums(rows int) {
	p.forEachVector(rows, func(i, v int) { p.vector("zero", p.accumulator(i, v)) })
	p.ifSet(tAccumulate, func() {
		p.forEachRow(tC, tLDC, rows, func(i int, row general) {
			p.loadRow(row, func(v int) vec { return p.accumulator(i, v) })
		})
	})
}

// forEachRow calls write for each row i of the tile, with the address of the row in an M×N matrix. field and
// distanceField are the offsets in kernels.tile of the matrix's address and of the distance between its rows.
func (p *productNEON) forEachRow(field, distanceField, rows int, write func(i int, row general)) {
	matrix := p.general()
	distance := p.general()
	p.op("MOVD", at(p.tile, field), matrix)
	p.op("MOVD", at(p.tile, distanceField), distance)
	p.walkRows(matrix, distance, rows, write)
}

// walkRows calls write for each row i of the tile, with the address of the row in an M×N matrix. The register row has the
// address of the matrix at first, and then the address of each row in turn.
func (p *productNEON) walkRows(row, distance general, rows int, write func(i int, row general)) {
	toTile := p.general()
	p.op("MUL", p.row, distance, toTile)
	p.op("ADD", p.column, row)
	p.op("ADD", toTile, row)
	for i := range rows {
		if i > 0 {
			p.op("ADD", distance, row)
		}
		write(i, row)
	}
}

// loadRow loads the vectors of a panel's row. dst returns the register for vector v.
func (p *productNEON) loadRow(row general, dst func(v int) vec) {
	for v := 0; v < p.panel.vectors; {
		if p.isPair(v) {
			p.loadPair(at(row, 16*v), dst(v), dst(v+1))
			v += 2
			continue
		}
		p.loadOne(row, v, dst(v))
		v++
	}
}

// isPair reports whether one instruction can load vectors v and v+1 of a panel's row: neither is the last vector,
// which may overlap the one before it.
func (p *productNEON) isPair(v int) bool { return v+1 < p.panel.vectors-1 }

// loadOne loads vector v of a panel's row.
func (p *productNEON) loadOne(row general, v int, dst vec) {
	if !p.mayOverlap(v) {
		p.loadPart(p.move(), at(row, 16*v), dst)
		return
	}
	p.loadIndexed(p.panel.lanes, row, p.lastVector, dst)
}

// mayOverlap reports whether vector v of a panel's row may overlap the one before it, so that its address depends on
// the number of columns.
func (p *productNEON) mayOverlap(v int) bool { return v > 0 && v == p.panel.vectors-1 }

// move returns the instruction that loads or stores a vector of the panel.
func (p *productNEON) move() string {
	return map[int]string{1: "FMOVS", 2: "FMOVD", 4: "FMOVQ"}[p.panel.lanes]
}

// storeRow stores row i of the tile.
func (p *productNEON) storeRow(i int, row general) {
	for v := 0; v < p.panel.vectors; {
		if p.isPair(v) {
			p.storePair(p.accumulator(i, v), p.accumulator(i, v+1), at(row, 16*v))
			v += 2
			continue
		}
		if p.mayOverlap(v) {
			p.storeIndexed(p.panel.lanes, p.accumulator(i, v), row, p.lastVector)
		} else {
			p.storePart(p.move(), p.accumulator(i, v), at(row, 16*v))
		}
		v++
	}
}

// writeEpilogue writes the elementwise operations after the sums: see kernels.Gemm.
func (p *productNEON) writeEpilogue(rows int) {
	p.ifSet(tBias, func() { p.writeBias(rows) })
	p.ifSet(tRelu, func() { p.writeRelu(rows) })
	p.ifSet(tMasked, func() { p.forEachRow(tC, tLDC, rows, p.storeRow) }) // C gets the elements before the mask
	p.ifSet(tMask, func() { p.writeMask(rows) })
	p.ifSet(tGate, func() { p.writeGate(rows) })
}

// writeBias adds the bias to each row.
func (p *productNEON) writeBias(rows int) {
	bias := p.general()
	p.op("MOVD", at(p.tile, tBias), bias)
	p.op("ADD", p.column, bias)
	p.loadRow(bias, func(v int) vec { return p.operand(rows, v) })
	p.forEachVector(rows, func(i, v int) {
		p.vector("fadd.4s", p.accumulator(i, v), p.accumulator(i, v), p.operand(rows, v))
	})
}

// writeRelu sets negative elements to 0. NaN and −0 are not less than 0, and stay.
func (p *productNEON) writeRelu(rows int) {
	zero := p.operand(rows, 0)
	p.vector("zero", zero)
	p.forEachVector(rows, func(i, v int) {
		isNegative := p.operand(rows, 1+(i+v)%2) // two registers in turns, so that comparisons need not wait
		p.vector("fcmgt.4s", isNegative, zero, p.accumulator(i, v))
		p.vector("bic", p.accumulator(i, v), p.accumulator(i, v), isNegative)
	})
}

// writeMask multiplies the elements by the mask.
func (p *productNEON) writeMask(rows int) {
	p.forEachRow(tMask, tLDMask, rows, func(i int, row general) {
		p.loadRow(row, func(v int) vec { return p.operand(rows, v) })
		for v := range p.panel.vectors {
			p.vector("fmul.4s", p.accumulator(i, v), p.accumulator(i, v), p.operand(rows, v))
		}
	})
}

// writeGate sets elements to 0 where the gate is not positive.
func (p *productNEON) writeGate(rows int) {
	zero := p.operand(rows, p.panel.vectors)
	p.vector("zero", zero)
	p.forEachRow(tGate, tLDGate, rows, func(i int, row general) {
		p.loadRow(row, func(v int) vec { return p.operand(rows, v) })
		for v := range p.panel.vectors {
			isOpen := p.operand(rows, v)
			p.vector("fcmgt.4s", isOpen, isOpen, zero)
			p.vector("and", p.accumulator(i, v), p.accumulator(i, v), isOpen)
		}
	})
}

// writeResult stores the elements after the epilogue in Masked, or in C if Masked is nil.
func (p *productNEON) writeResult(rows int) {
	row := p.general()
	distance := p.general()
	store := p.label("store")
	p.op("MOVD", at(p.tile, tMasked), row)
	p.op("MOVD", at(p.tile, tLDMasked), distance)
	p.branch("CBNZ", store, row)
	p.op("MOVD", at(p.tile, tC), row)
	p.op("MOVD", at(p.tile, tLDC), distance)
	p.place(store)
	p.walkRows(row, distance, rows, p.storeRow)
}
