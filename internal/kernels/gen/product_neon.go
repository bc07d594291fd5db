package main

import (
	"fmt"
	"slices"
)

// gemmNEON writes the kernel of matrix products for arm64. Like gemm, it divides C into panels of columns,
// and each panel into tiles of rows, whose elements stay in registers while the terms of their sums are
// added, and while the epilogue is applied.
//
// NEON has no masks. The last vector of a panel ends with the last column instead: it overlaps the vector
// before it if the columns are no multiple of 4, and both compute the columns that they share. A product
// with 50 columns computes 52.
func gemmNEON(a *assembler) {
	a.function("gemmNEON", "t *tile", "computes the product that t describes.")
	p := &neonProduct{assembler: a}
	p.write()
	a.finish()
}

// neonProduct writes the kernel of matrix products for arm64.
type neonProduct struct {
	*assembler

	t    general   // address of the kernels.tile
	col  general   // offset of the panel's first column in bytes
	left general   // columns of C from the panel's first column on
	row  general   // index of the first row of the current tile
	last general   // offset of the last vector from the panel's first column in bytes
	neon neonPanel // shape of the current panel
}

// neonPanel is the shape of a panel. All vectors of a row are full, and only the last may overlap the one
// before it.
type neonPanel struct {
	vectors int   // vectors of a row
	lanes   int   // columns of a vector: 4, or fewer in a narrow panel
	rows    []int // rows of the tiles, largest first
}

// neonPanels are the shapes of panels. The largest tiles have up to 25 accumulators: at least 16 are
// needed by CPUs with four multiply-adds of four cycles at the same time, and 7 registers are left for A
// and B.
var neonPanels = []neonPanel{
	{vectors: 5, lanes: 4, rows: []int{5, 4, 2, 1}},
	{vectors: 4, lanes: 4, rows: []int{6, 4, 2, 1}},
	{vectors: 3, lanes: 4, rows: []int{6, 4, 2, 1}},
	{vectors: 2, lanes: 4, rows: []int{10, 4, 2, 1}},
	{vectors: 1, lanes: 4, rows: []int{10, 4, 2, 1}},
	{vectors: 2, lanes: 2, rows: []int{10, 4, 2, 1}},
	{vectors: 1, lanes: 2, rows: []int{10, 4, 2, 1}},
	{vectors: 1, lanes: 1, rows: []int{10, 4, 2, 1}},
}

// neonChoices are the shapes by the number of remaining columns: the first whose minimum is reached is
// used. Panels of 4 vectors come first, and the order avoids a narrow panel at the end: 13 vectors are 4,
// 4 and 5, and 6 vectors are 3 and 3.
var neonChoices = []struct {
	minColumns int
	panel      int // index in neonPanels
}{
	{25, 1}, {21, 2}, {17, 0}, {13, 1}, {9, 2}, {5, 3}, {4, 4}, {3, 5}, {2, 6}, {1, 7},
}

// write writes the whole function: a loop over the panels.
func (p *neonProduct) write() {
	p.t = p.parameter("t")
	p.col = p.general()
	p.left = p.general()
	p.row = p.general()
	p.last = p.general()
	p.op("MOVD", immediate(0), p.col)
	p.op("MOVD", at(p.t, tN), p.left)
	next := p.label("panel")
	done := p.label("done")
	bodies := make([]string, len(neonPanels))
	for i := range bodies {
		bodies[i] = p.label("columns")
	}
	p.place(next)
	for _, choice := range neonChoices {
		p.op("CMP", immediate(choice.minColumns), p.left)
		p.branch("BGE", bodies[choice.panel])
	}
	p.branch("B", done)
	for i, panel := range neonPanels {
		p.neon = panel
		p.place(bodies[i])
		p.comment(fmt.Sprintf("Panel of %d vectors of %d columns", panel.vectors, panel.lanes))
		p.writePanel()
		span := immediate(panel.vectors * panel.lanes)
		p.op("ADD", 4*span, p.col)
		p.op("SUBS", span, p.left)
		p.branch("BGT", next)
		p.op("RET")
	}
	p.place(done)
	p.op("RET")
}

// writePanel writes one panel: tiles of the largest number of rows while there are as many, and smaller
// tiles for the rows after them.
func (p *neonProduct) writePanel() {
	p.setLast()
	p.op("MOVD", immediate(0), p.row)
	for i, rows := range p.neon.rows {
		again := p.label("rows")
		end := p.label("end")
		p.place(again)
		p.temporarily(func() {
			left := p.general()
			p.op("MOVD", at(p.t, tM), left)
			p.op("SUB", p.row, left)
			p.op("CMP", immediate(rows), left)
			p.branch("BLT", end)
		})
		p.writeTile(rows)
		p.op("ADD", immediate(rows), p.row)
		if i == 0 || p.neon.rows[i-1] > 2*rows { // other tiles occur at most once
			p.branch("B", again)
		}
		p.place(end)
	}
}

// setLast sets the offset of the last vector: the last of the panel's columns end it.
func (p *neonProduct) setLast() {
	if p.neon.vectors == 1 {
		return
	}
	span := p.general()
	p.op("MOVD", immediate(p.neon.vectors*p.neon.lanes), span)
	p.op("CMP", span, p.left)
	p.line(fmt.Sprintf("CSEL LT, %s, %s, %s", p.left.Asm(), span.Asm(), p.last.Asm()))
	p.release(span)
	p.op("SUB", immediate(p.neon.lanes), p.last)
	p.op("LSL", immediate(2), p.last)
}

// temporarily writes body, after which the general registers that it took are free again.
func (p *neonProduct) temporarily(body func()) {
	free := slices.Clone(p.free)
	body()
	p.free = free
}

// ifSet writes body so that it runs if a field of kernels.tile is not 0.
func (p *neonProduct) ifSet(field int, body func()) {
	skip := p.label("skip")
	p.temporarily(func() {
		value := p.general()
		p.op("MOVD", at(p.t, field), value)
		p.branch("CBZ", skip, value)
	})
	p.temporarily(body)
	p.place(skip)
}

// accumulator returns the register of vector v of row i of C.
func (p *neonProduct) accumulator(i, v int) vec { return vec(i*p.neon.vectors + v) }

// operand returns register n of those after the accumulators of a tile.
func (p *neonProduct) operand(rows, n int) vec { return vec(rows*p.neon.vectors + n) }

// operands returns the number of registers after the accumulators of a tile.
func (p *neonProduct) operands(rows int) int { return vectorCount - rows*p.neon.vectors }

// forEachVector calls write for each accumulator of a tile.
func (p *neonProduct) forEachVector(rows int, write func(i, v int)) {
	for i := range rows {
		for v := range p.neon.vectors {
			write(i, v)
		}
	}
}

// writeTile writes one tile of the given number of rows.
func (p *neonProduct) writeTile(rows int) {
	p.writeInitialSums(rows)
	p.temporarily(func() { p.writeSums(rows) })
	p.writeEpilogue(rows)
	p.temporarily(func() { p.writeResult(rows) })
}

// writeInitialSums sets the accumulators to 0 or C.
func (p *neonProduct) writeInitialSums(rows int) {
	p.forEachVector(rows, func(i, v int) { p.vector("zero", p.accumulator(i, v)) })
	p.ifSet(tAccumulate, func() {
		p.forEachRow(tC, tLDC, rows, func(i int, row general) {
			p.loadRow(row, func(v int) vec { return p.accumulator(i, v) })
		})
	})
}

// forEachRow calls write with the address of each row of the tile in an M×N matrix. field and ld are the
// offsets of the matrix's address and row distance in kernels.tile.
func (p *neonProduct) forEachRow(field, ld, rows int, write func(i int, row general)) {
	row := p.general()
	distance := p.general()
	p.op("MOVD", at(p.t, field), row)
	p.op("MOVD", at(p.t, ld), distance)
	p.walkRows(row, distance, rows, write)
}

// walkRows calls write with the address of each row of the tile in an M×N matrix, whose address it
// changes.
func (p *neonProduct) walkRows(row, distance general, rows int, write func(i int, row general)) {
	toTile := p.general()
	p.op("MUL", p.row, distance, toTile)
	p.op("ADD", p.col, row)
	p.op("ADD", toTile, row)
	for i := range rows {
		if i > 0 {
			p.op("ADD", distance, row)
		}
		write(i, row)
	}
}

// loadRow loads the vectors of a panel's row to the registers that dst returns: in pairs where they are
// neighbours.
func (p *neonProduct) loadRow(row general, dst func(v int) vec) {
	for v := 0; v < p.neon.vectors; {
		if p.isPair(v) {
			p.loadPair(at(row, 16*v), dst(v), dst(v+1))
			v += 2
			continue
		}
		p.loadOne(row, v, dst(v))
		v++
	}
}

// isPair reports whether vectors v and v+1 of a panel's row are neighbours whatever the number of columns.
func (p *neonProduct) isPair(v int) bool { return v+1 < p.neon.vectors-1 }

// loadOne loads vector v of a panel's row.
func (p *neonProduct) loadOne(row general, v int, dst vec) {
	if v == 0 || v < p.neon.vectors-1 {
		p.loadPart(p.move(), at(row, 16*v), dst)
		return
	}
	p.loadIndexed(p.neon.lanes, row, p.last, dst)
}

// move returns the instruction that moves a vector of the panel.
func (p *neonProduct) move() string {
	return map[int]string{1: "FMOVS", 2: "FMOVD", 4: "FMOVQ"}[p.neon.lanes]
}

// storeRow stores row i of the tile.
func (p *neonProduct) storeRow(i int, row general) {
	for v := 0; v < p.neon.vectors; {
		if p.isPair(v) {
			p.storePair(p.accumulator(i, v), p.accumulator(i, v+1), at(row, 16*v))
			v += 2
			continue
		}
		if v == 0 || v < p.neon.vectors-1 {
			p.storePart(p.move(), p.accumulator(i, v), at(row, 16*v))
		} else {
			p.storeIndexed(p.neon.lanes, p.accumulator(i, v), row, p.last)
		}
		v++
	}
}

// writeEpilogue writes the elementwise operations after the sums. They are described at kernels.Gemm.
func (p *neonProduct) writeEpilogue(rows int) {
	p.ifSet(tBias, func() { p.writeBias(rows) })
	p.ifSet(tRelu, func() { p.writeRelu(rows) })
	p.ifSet(tMasked, func() { p.forEachRow(tC, tLDC, rows, p.storeRow) }) // C keeps the elements before the mask
	p.ifSet(tMask, func() { p.writeMask(rows) })
	p.ifSet(tGate, func() { p.writeGate(rows) })
}

// writeBias adds the bias to each row.
func (p *neonProduct) writeBias(rows int) {
	bias := p.general()
	p.op("MOVD", at(p.t, tBias), bias)
	p.op("ADD", p.col, bias)
	p.loadRow(bias, func(v int) vec { return p.operand(rows, v) })
	p.forEachVector(rows, func(i, v int) {
		p.vector("fadd.4s", p.accumulator(i, v), p.accumulator(i, v), p.operand(rows, v))
	})
}

// writeRelu clears negative elements. A comparison keeps NaN and −0, which are not below zero.
func (p *neonProduct) writeRelu(rows int) {
	zero := p.operand(rows, 0)
	p.vector("zero", zero)
	p.forEachVector(rows, func(i, v int) {
		isNegative := p.operand(rows, 1+(i+v)%2) // in turns
		p.vector("fcmgt.4s", isNegative, zero, p.accumulator(i, v))
		p.vector("bic", p.accumulator(i, v), p.accumulator(i, v), isNegative)
	})
}

// writeMask multiplies by the mask.
func (p *neonProduct) writeMask(rows int) {
	p.forEachRow(tMask, tLDMask, rows, func(i int, row general) {
		p.loadRow(row, func(v int) vec { return p.operand(rows, v) })
		for v := range p.neon.vectors {
			p.vector("fmul.4s", p.accumulator(i, v), p.accumulator(i, v), p.operand(rows, v))
		}
	})
}

// writeGate clears elements where the gate is not positive.
func (p *neonProduct) writeGate(rows int) {
	zero := p.operand(rows, p.neon.vectors)
	p.vector("zero", zero)
	p.forEachRow(tGate, tLDGate, rows, func(i int, row general) {
		p.loadRow(row, func(v int) vec { return p.operand(rows, v) })
		for v := range p.neon.vectors {
			isOpen := p.operand(rows, v)
			p.vector("fcmgt.4s", isOpen, isOpen, zero)
			p.vector("and", p.accumulator(i, v), p.accumulator(i, v), isOpen)
		}
	})
}

// writeResult stores the elements after the epilogue, in Masked if it is set, or else in C.
func (p *neonProduct) writeResult(rows int) {
	row := p.general()
	distance := p.general()
	store := p.label("store")
	p.op("MOVD", at(p.t, tMasked), row)
	p.op("MOVD", at(p.t, tLDMasked), distance)
	p.branch("CBNZ", store, row)
	p.op("MOVD", at(p.t, tC), row)
	p.op("MOVD", at(p.t, tLDC), distance)
	p.place(store)
	p.walkRows(row, distance, rows, p.storeRow)
}
