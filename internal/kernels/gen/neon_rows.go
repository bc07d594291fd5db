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
		table: m.assembler.argument("table"),
		rows:  m.assembler.argument("rows"),
		last:  m.general(),
		left:  m.assembler.argument("m"),
		size:  m.assembler.argument("cols"),
		dst:   m.assembler.argument("dst"),
		row:   m.general(),
		index: m.general(),
		end:   m.general(),
	}
	m.op("LSL", immediate(shift), t.size, t.size)
	m.op("ADD", indexed{t.left, 2}, t.rows, t.last)
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
	t.assembler.place(again)
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
	t.assembler.place(again)
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
		for vectors := 2; vectors > 0; vectors-- {
			t.copyVectors(n, vectors)
		}
		next := m.label("next")
		m.branch("CBZ", next, n)
		m.op("LSR", immediate(2), n, n)
		m.storeFirst(n, m.loadFirst(n, t.row, place), t.dst, place)
		m.op("ADD", indexed{n, 2}, t.dst, t.dst)
		m.assembler.place(next)
	})
	m.finish()
}

// copyVectors writes a loop that copies one or two vectors at a time while the row has as many. n becomes the
// number of bytes left.
func (t rowTableNEON) copyVectors(n general, vectors int) {
	again, under := t.label("vectors"), t.label("under")
	bytes := vectors * vectorBytes
	if vectors == 2 {
		t.op("MOVD", t.size, n)
	}
	t.assembler.place(again)
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
	t.assembler.place(under)
}

// gatherNEON writes the kernel that copies rows of a table, standardised, for arm64.
func gatherNEON(a *assembler) {
	m := newNEON(a)
	m.function("gatherNEON", "dst *float32, table *float64, cols int, rows *int32, m int, mean, std *float64",
		"is kernels.GatherStandardised of m rows.")
	t := newRowTableNEON(m, 3)
	firstMean, firstStd := m.assembler.argument("mean"), m.assembler.argument("std")
	g := gathererNEON{rowTableNEON: t, mean: m.general(), std: m.general(), left: m.general()}
	t.forEachRow(gatherAhead, func() {
		m.op("LSR", immediate(3), t.size, g.left)
		m.op("MOVD", firstMean, g.mean)
		m.op("MOVD", firstStd, g.std)
		g.writeRow()
	})
	m.finish()
}

// gathererNEON writes the kernel that copies standardised rows.
type gathererNEON struct {
	rowTableNEON
	mean, std general // addresses of the numbers of the next column
	left      general // columns left in the row
}

// writeRow writes the loops over the columns of a row: four at a time while there are as many, then one.
func (g gathererNEON) writeRow() {
	fours, ones, one, next := g.label("fours"), g.label("ones"), g.label("one"), g.label("next")
	g.assembler.place(fours)
	g.op("CMP", immediate(4), g.left)
	g.branch("BLT", ones)
	low := g.compute("fcvtn.2s", g.standardise(0))
	g.storeVector(g.update("fcvtn2.4s", low, g.standardise(vectorBytes)), at(g.dst, 0))
	g.advance(4)
	g.branch("B", fours)
	g.assembler.place(ones)
	g.branch("CBZ", next, g.left)
	g.assembler.place(one)
	g.storePart("FMOVS", g.compute("fcvt.s", g.standardiseOne()), at(g.dst, 0))
	g.advance(1)
	g.branch("CBNZ", one, g.left)
	g.assembler.place(next)
}

// standardise returns (row − mean)/std of two columns, offset bytes after the next.
func (g gathererNEON) standardise(offset int) vec {
	x, mean, std := g.newVector(), g.newVector(), g.newVector()
	g.loadVector(at(g.row, offset), x)
	g.loadVector(at(g.mean, offset), mean)
	g.loadVector(at(g.std, offset), std)
	return g.compute("fdiv.2d", g.compute("fsub.2d", x, mean), std)
}

// standardiseOne returns (row − mean)/std of the next column.
func (g gathererNEON) standardiseOne() vec {
	x, mean, std := g.newVector(), g.newVector(), g.newVector()
	g.loadPart("FMOVD", at(g.row, 0), x)
	g.loadPart("FMOVD", at(g.mean, 0), mean)
	g.loadPart("FMOVD", at(g.std, 0), std)
	return g.compute("fdiv.d", g.compute("fsub.d", x, mean), std)
}

// advance moves past a number of columns.
func (g gathererNEON) advance(columns int) {
	for _, r := range []general{g.row, g.mean, g.std} {
		g.op("ADD", immediate(8*columns), r, r)
	}
	g.op("ADD", immediate(4*columns), g.dst, g.dst)
	g.op("SUB", immediate(columns), g.left, g.left)
}
