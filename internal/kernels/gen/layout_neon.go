package main

// This file writes the kernels for arm64 that copy a matrix in another order.

// packNEON writes the kernel that copies a matrix into panels of columns, like pack.
func packNEON(a *assembler) {
	a.function("packNEON", "dst *float32, panel int, src *float32, ld int, rows, sixteens, width int",
		"copies rows of 16·sixteens numbers to panels of 16·width columns. The rows of src are ld bytes apart; the continuation of a row in the next panel is panel bytes after its end.")
	dst := a.parameter("dst")
	panel := a.parameter("panel")
	src := a.parameter("src")
	ld := a.parameter("ld")
	rows := a.parameter("rows")
	sixteens := a.parameter("sixteens")
	width := a.parameter("width")
	size := a.general() // bytes per row of a panel: 64 for each 16 columns
	a.op("LSL", immediate(6), width, size)
	down := a.label("down")
	right := a.label("right")
	same := a.label("same")
	a.place(down)
	from := a.copyGeneral(src)
	to := a.copyGeneral(dst)
	left := a.copyGeneral(sixteens)
	inPanel := a.copyGeneral(width)
	a.place(right)
	a.loadPair(at(from, 0), 0, 1)
	a.loadPair(at(from, 32), 2, 3)
	a.storePair(0, 1, at(to, 0))
	a.storePair(2, 3, at(to, 32))
	a.op("ADD", immediate(64), from)
	a.op("ADD", immediate(64), to)
	a.op("SUBS", immediate(1), inPanel) // groups of 16 columns up to the end of the panel
	a.branch("BNE", same)
	a.op("MOVD", width, inPanel) // the row goes on in the next panel
	a.op("ADD", panel, to)
	a.place(same)
	a.op("SUBS", immediate(1), left)
	a.branch("BNE", right)
	a.op("ADD", ld, src)
	a.op("ADD", size, dst)
	a.op("SUBS", immediate(1), rows)
	a.branch("BNE", down)
	a.op("RET")
	a.finish()
}

// transposeNEON writes the kernel dst[j,i] = src[i,j] for arm64, in blocks of 4×4. The last block of a row
// or column ends at the edge: it may repeat a part of the block before it.
func transposeNEON(a *assembler) {
	a.function("transposeNEON", "dst, src *float32, rows, cols int", "transposes a contiguous matrix of at least 4×4 numbers.")
	t := &neonTransposer{assembler: a}
	t.dst = a.parameter("dst")
	t.src = a.parameter("src")
	t.rows = a.parameter("rows")
	t.cols = a.parameter("cols")
	t.write()
	a.finish()
}

// neonTransposer writes the kernel that transposes a matrix for arm64.
type neonTransposer struct {
	*assembler
	dst, src   general    // addresses of the matrices
	rows, cols general    // size of src
	ld, ldDst  general    // distances between rows in bytes
	row, col   general    // first row and column of the block
	from       [4]general // addresses of four rows of src
	to         general    // address of the block in dst
}

// write writes the loops over groups of four rows and, in them, over blocks.
func (t *neonTransposer) write() {
	t.ld = t.general()
	t.ldDst = t.general()
	t.row = t.general()
	t.col = t.general()
	for i := range t.from {
		t.from[i] = t.general()
	}
	t.to = t.general()
	t.op("LSL", immediate(2), t.cols, t.ld)
	t.op("LSL", immediate(2), t.rows, t.ldDst)
	t.op("MOVD", immediate(0), t.row)
	down := t.label("down")
	right := t.label("right")
	t.place(down)
	t.setRowAddresses()
	t.op("MOVD", immediate(0), t.col)
	t.place(right)
	t.copyBlock()
	t.advance(t.col, t.cols, right)
	t.advance(t.row, t.rows, down)
	t.op("RET")
}

// setRowAddresses sets the addresses of the next four rows of src.
func (t *neonTransposer) setRowAddresses() {
	first := t.from[0]
	t.op("MUL", t.ld, t.row, first)
	t.op("ADD", t.src, first)
	for i := 1; i < len(t.from); i++ {
		t.op("ADD", t.ld, t.from[i-1], t.from[i])
	}
}

// copyBlock copies a block: it interleaves rows 0 and 2, and 1 and 3, and then the results.
func (t *neonTransposer) copyBlock() {
	offset := t.general()
	t.op("LSL", immediate(2), t.col, offset)
	for i, row := range t.from {
		t.loadIndexed(4, row, offset, vec(i))
	}
	t.release(offset)
	t.vector("zip1.4s", 4, 0, 2) // numbers 0 and 1 of both rows
	t.vector("zip2.4s", 5, 0, 2) // numbers 2 and 3
	t.vector("zip1.4s", 6, 1, 3)
	t.vector("zip2.4s", 7, 1, 3)
	t.vector("zip1.4s", 0, 4, 6)
	t.vector("zip2.4s", 1, 4, 6)
	t.vector("zip1.4s", 2, 5, 7)
	t.vector("zip2.4s", 3, 5, 7)
	t.op("MUL", t.ldDst, t.col, t.to)
	t.op("ADD", t.dst, t.to)
	t.line("ADD " + t.row.Asm() + "<<2, " + t.to.Asm())
	for i := range vec(4) {
		t.storeVector(i, at(t.to, 0))
		t.op("ADD", t.ldDst, t.to)
	}
}

// advance adds 4 to an index and jumps to a label unless size is reached. The last index is size − 4.
func (t *neonTransposer) advance(index, size general, again string) {
	end := t.label("end")
	last := t.general()
	t.op("SUB", immediate(4), size, last)
	t.op("CMP", last, index)
	t.branch("BGE", end)
	t.op("ADD", immediate(4), index)
	t.op("CMP", last, index)
	t.line("CSEL GT, " + last.Asm() + ", " + index.Asm() + ", " + index.Asm())
	t.branch("B", again)
	t.place(end)
	t.release(last)
}
