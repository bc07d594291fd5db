package main

// transposeNEON writes the kernel dst[j,i] = src[i,j] for arm64, in blocks of 4×4. The last block of a row or column ends
// at the edge of the matrix: it may copy a part of the block before it once more.
func transposeNEON(a *assembler) {
	a.function("transposeNEON", "dst, src *float32, rows, cols int", "transposes a contiguous matrix of at least 4×4 numbers.")
	t := &transposerNEON{assembler: a}
	t.dst = a.parameter("dst")
	t.src = a.parameter("src")
	t.rows = a.parameter("rows")
	t.cols = a.parameter("cols")
	t.write()
	a.finish()
}

// transposerNEON writes the kernel that transposes a matrix for arm64.
type transposerNEON struct {
	*assembler
	dst, src    general    // addresses of the matrices
	rows, cols  general    // size of src
	srcDistance general    // distance between rows of src in bytes
	dstDistance general    // distance between rows of dst in bytes
	row, col    general    // first row and column of the block in src
	from        [4]general // addresses of the block's four rows of src
	to          general    // address of the block's next row in dst
}

// write writes the loops over groups of four rows and, in them, over blocks.
func (t *transposerNEON) write() {
	t.srcDistance = t.general()
	t.dstDistance = t.general()
	t.row = t.general()
	t.col = t.general()
	for i := range t.from {
		t.from[i] = t.general()
	}
	t.to = t.general()
	t.op("LSL", immediate(2), t.cols, t.srcDistance)
	t.op("LSL", immediate(2), t.rows, t.dstDistance)
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
func (t *transposerNEON) setRowAddresses() {
	first := t.from[0]
	t.op("MUL", t.srcDistance, t.row, first)
	t.op("ADD", t.src, first)
	for i := 1; i < len(t.from); i++ {
		t.op("ADD", t.srcDistance, t.from[i-1], t.from[i])
	}
}

// copyBlock copies a block of rows a, b, c and d. zip1 and zip2 interleave the first and the last two numbers of two
// vectors.
func (t *transposerNEON) copyBlock() {
	offset := t.general()
	t.op("LSL", immediate(2), t.col, offset)
	for i, row := range t.from {
		t.loadIndexed(4, row, offset, vec(i))
	}
	t.release(offset)
	t.vector("zip1.4s", 4, 0, 2) // a0 c0 a1 c1
	t.vector("zip2.4s", 5, 0, 2) // a2 c2 a3 c3
	t.vector("zip1.4s", 6, 1, 3) // b0 d0 b1 d1
	t.vector("zip2.4s", 7, 1, 3) // b2 d2 b3 d3
	t.vector("zip1.4s", 0, 4, 6) // a0 b0 c0 d0
	t.vector("zip2.4s", 1, 4, 6)
	t.vector("zip1.4s", 2, 5, 7)
	t.vector("zip2.4s", 3, 5, 7)
	t.op("MUL", t.dstDistance, t.col, t.to)
	t.op("ADD", t.dst, t.to)
	t.op("ADD", shifted{t.row, 2}, t.to)
	for i := range vec(4) {
		t.storeVector(i, at(t.to, 0))
		t.op("ADD", t.dstDistance, t.to)
	}
}

// advance moves the index of a block to the next block and jumps to again, unless it was the last block. The index of
// the last block is size − 4.
func (t *transposerNEON) advance(index, size general, again string) {
	end := t.label("end")
	last := t.general()
	t.op("SUB", immediate(4), size, last)
	t.op("CMP", last, index)
	t.branch("BGE", end)
	t.op("ADD", immediate(4), index)
	t.op("CMP", last, index)
	t.op("CSEL GT,", last, index, index) // the smaller of both
	t.branch("B", again)
	t.place(end)
	t.release(last)
}
