package main

// rowTableNEON writes the address computations of kernels that read the rows of a table in the order of a
// slice of row indices: see rowTable.
type rowTableNEON struct {
	neon
	table general
	rows  general // address of the next row index
	last  general // address of the last row index
	left  general // number of rows to write
	size  general // bytes per row
	dst   general // address of the next number to write

	row, index, end general // address of the current row, and registers in between
}

// newRowTableNEON loads the arguments of a function, whose rows have cols numbers of 2^shift bytes each.
func newRowTableNEON(m neon, shift int) rowTableNEON {
	t := rowTableNEON{
		neon:  m,
		table: m.parameter("table"),
		rows:  m.parameter("rows"),
		last:  m.general(),
		left:  m.parameter("m"),
		size:  m.parameter("cols"),
		dst:   m.parameter("dst"),
		row:   m.general(),
		index: m.general(),
		end:   m.general(),
	}
	m.op("LSL", immediate(shift), t.size, t.size)
	m.op("ADD", shifted{t.left, 2}, t.rows, t.last)
	m.op("SUB", immediate(4), t.last, t.last)
	return t
}

// setRow sets a register to the address of the row whose index is in memory.
func (t rowTableNEON) setRow(row general, index armMemory) {
	t.op("MOVW", index, row)
	t.op("MUL", t.size, row, row)
	t.op("ADD", t.table, row, row)
}

// prefetch loads the row that is ahead rows after the next one into the cache, or the last row if there are
// fewer: one instruction for each cache line.
func (t rowTableNEON) prefetch(ahead int) {
	const (
		indexBytes = 4
		cacheLine  = 64 // bytes; larger lines are only loaded twice
	)
	again := t.label("fetch")
	t.op("ADD", immediate(indexBytes*ahead), t.rows, t.index)
	t.op("CMP", t.last, t.index)
	t.op("CSEL HI,", t.last, t.index, t.index)
	t.setRow(t.row, at(t.index, 0))
	t.op("ADD", t.size, t.row, t.end)
	t.op("SUB", immediate(1), t.end, t.end)
	t.place(again)
	t.line("PRFM " + at(t.row, 0).Asm() + ", PLDL1KEEP")
	t.op("ADD", immediate(cacheLine), t.row, t.row)
	t.op("CMP", t.end, t.row)
	t.branch("BLT", again)
	t.line("PRFM " + at(t.end, 0).Asm() + ", PLDL1KEEP") // the row may end in a further cache line
}

// forEachRow writes the loop over the rows, of which there is at least one, and the function's return. write
// writes the code for the row at t.row.
func (t rowTableNEON) forEachRow(ahead int, write func()) {
	again := t.label("row")
	t.place(again)
	t.prefetch(ahead)
	t.setRow(t.row, at(t.rows, 0))
	write()
	t.op("ADD", immediate(4), t.rows, t.rows)
	t.op("SUBS", immediate(1), t.left, t.left)
	t.branch("BNE", again)
	t.writeReturn()
}

// rowsNEON writes the kernel that copies rows of a table for arm64.
func rowsNEON(a *assembler) {
	m := newNEON(a)
	m.function("rowsNEON", "dst, table *float32, cols int, rows *int32, m int", "is kernels.CopyRows of m rows.")
	t := newRowTableNEON(m, 2)
	n, place := m.general(), m.general()
	t.forEachRow(copyAhead, func() {
		m.op("MOVD", t.size, n)
		t.copyVectors(n, 2)
		t.copyVectors(n, 1)
		next := m.label("next")
		m.branch("CBZ", next, n)
		m.op("LSR", immediate(2), n, n)
		m.storeFirst(n, m.loadFirst(n, t.row, place), t.dst, place)
		m.op("ADD", shifted{n, 2}, t.dst, t.dst)
		m.place(next)
	})
	m.finish()
}

// copyVectors writes a loop that copies one or two vectors at a time while at least as many of the row's n bytes are
// left. n becomes the number of bytes left.
func (t rowTableNEON) copyVectors(n general, vectors int) {
	again, under := t.label("vectors"), t.label("under")
	bytes := vectors * vectorBytes
	t.place(again)
	t.op("CMP", immediate(bytes), n)
	t.branch("BLT", under)
	for v := range vectors {
		x := t.newVector()
		t.loadVector(at(t.row, vectorBytes*v), x)
		t.storeVector(x, at(t.dst, vectorBytes*v))
	}
	t.op("ADD", immediate(bytes), t.row, t.row)
	t.op("ADD", immediate(bytes), t.dst, t.dst)
	t.op("SUB", immediate(bytes), n, n)
	t.branch("B", again)
	t.place(under)
}
