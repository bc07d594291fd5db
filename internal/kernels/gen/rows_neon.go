package main

// rowTableNEON writes the parts that gather and rows have in common: a loop over row indices, which computes the address
// of each row in the table. The rows are in no order, so that the CPU cannot guess the next one: the loop loads a later
// row into the cache while it works on the current one.
type rowTableNEON struct {
	neon
	table     general // address of the table
	next      general // address of the next row index
	last      general // address of the last row index
	remaining general // number of rows to write
	size      general // bytes per row
	dst       general // address of the next number to write

	row        general // address of the current row, or of a later row in prefetch
	laterIndex general // address of the index of the row to prefetch
	lastByte   general // address of the last byte of the row to prefetch
}

// newRowTableNEON loads the arguments of a function whose table has numbers of 2^shift bytes.
func newRowTableNEON(m neon, shift int) rowTableNEON {
	t := rowTableNEON{
		neon:       m,
		table:      m.parameter("table"),
		next:       m.parameter("rows"),
		last:       m.general(),
		remaining:  m.parameter("m"),
		size:       m.parameter("cols"),
		dst:        m.parameter("dst"),
		row:        m.general(),
		laterIndex: m.general(),
		lastByte:   m.general(),
	}
	m.op("LSL", immediate(shift), t.size, t.size)
	m.op("ADD", shifted{t.remaining, 2}, t.next, t.last)
	m.op("SUB", immediate(4), t.last, t.last)
	return t
}

// setRow sets the register row to the address of the row whose index is in memory.
func (t rowTableNEON) setRow(row general, index armMemory) {
	t.op("MOVW", index, row)
	t.op("MUL", t.size, row, row)
	t.op("ADD", t.table, row, row)
}

// prefetch loads a later row into the cache, by one instruction for each cache line: ahead rows after the next one, or
// the last row if there are fewer. It changes t.row.
func (t rowTableNEON) prefetch(ahead int) {
	const (
		indexBytes = 4
		cacheLine  = 64 // bytes; larger lines are only loaded twice
	)
	again := t.label("fetch")
	t.op("ADD", immediate(indexBytes*ahead), t.next, t.laterIndex)
	t.op("CMP", t.last, t.laterIndex)
	t.op("CSEL HI,", t.last, t.laterIndex, t.laterIndex)
	t.setRow(t.row, at(t.laterIndex, 0))
	t.op("ADD", t.size, t.row, t.lastByte)
	t.op("SUB", immediate(1), t.lastByte, t.lastByte)
	t.place(again)
	t.line("PRFM " + at(t.row, 0).Asm() + ", PLDL1KEEP")
	t.op("ADD", immediate(cacheLine), t.row, t.row)
	t.op("CMP", t.lastByte, t.row)
	t.branch("BLT", again)
	t.line("PRFM " + at(t.lastByte, 0).Asm() + ", PLDL1KEEP") // the row may begin in the middle of a line
}

// forEachRow writes the loop over the rows and the function's return. There must be at least one row. write writes the code
// for the row at the address t.row.
func (t rowTableNEON) forEachRow(ahead int, write func()) {
	again := t.label("row")
	t.place(again)
	t.prefetch(ahead)
	t.setRow(t.row, at(t.next, 0))
	write()
	t.op("ADD", immediate(4), t.next, t.next)
	t.op("SUBS", immediate(1), t.remaining, t.remaining)
	t.branch("BNE", again)
	t.writeReturn()
}

// rowsNEON writes the kernel that copies rows of a table for arm64: two vectors at a time, then one, then the last 1, 2
// or 3 numbers.
func rowsNEON(a *assembler) {
	m := newNEON(a)
	m.function("rowsNEON", "dst, table *float32, cols int, rows *int32, m int", "is kernels.CopyRows of m rows.")
	t := newRowTableNEON(m, 2)
	remaining, scratch := m.general(), m.general()
	t.forEachRow(copyAhead, func() {
		m.op("MOVD", t.size, remaining)
		t.copyVectors(remaining, 2)
		t.copyVectors(remaining, 1)
		next := m.label("next")
		m.branch("CBZ", next, remaining)
		m.op("LSR", immediate(2), remaining, remaining) // from bytes to numbers
		m.storeFirst(remaining, m.loadFirst(remaining, t.row, scratch), t.dst, scratch)
		m.op("ADD", shifted{remaining, 2}, t.dst, t.dst)
		m.place(next)
	})
	m.finish()
}

// copyVectors writes a loop that copies one or two vectors at a time while as many bytes of the row remain.
func (t rowTableNEON) copyVectors(remaining general, vectors int) {
	again, under := t.label("vectors"), t.label("under")
	bytes := vectors * vectorBytes
	t.place(again)
	t.op("CMP", immediate(bytes), remaining)
	t.branch("BLT", under)
	for v := range vectors {
		x := t.newVector()
		t.loadVector(at(t.row, vectorBytes*v), x)
		t.storeVector(x, at(t.dst, vectorBytes*v))
	}
	t.op("ADD", immediate(bytes), t.row, t.row)
	t.op("ADD", immediate(bytes), t.dst, t.dst)
	t.op("SUB", immediate(bytes), remaining, remaining)
	t.branch("B", again)
	t.place(under)
}
