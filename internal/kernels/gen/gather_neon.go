package main

// gatherNEON writes the kernel that copies rows of a table of float64, standardised and rounded to float32, for arm64:
// dst[i,j] = (table[rows[i],j] − mean[j]) / std[j].
func gatherNEON(a *assembler) {
	m := newNEON(a)
	m.function("gatherNEON", "dst *float32, table *float64, cols int, rows *int32, m int, mean, std *float64",
		"is kernels.GatherStandardised of m rows.")
	t := newRowTableNEON(m, 3)
	firstMean, firstStd := m.parameter("mean"), m.parameter("std")
	g := gathererNEON{rowTableNEON: t, mean: m.general(), std: m.general(), columns: m.general()}
	t.forEachRow(gatherAhead, func() {
		m.op("LSR", immediate(3), t.size, g.columns) // from bytes to numbers
		m.op("MOVD", firstMean, g.mean)
		m.op("MOVD", firstStd, g.std)
		g.writeRow()
	})
	m.finish()
}

// gathererNEON writes the kernel that copies standardised rows.
type gathererNEON struct {
	rowTableNEON
	mean, std general // addresses of the next column's mean and standard deviation
	columns   general // number of columns that remain in the row
}

// writeRow writes the loops over the columns of a row: four at a time while as many remain, then one at a time.
func (g gathererNEON) writeRow() {
	fours, ones, one, next := g.label("fours"), g.label("ones"), g.label("one"), g.label("next")
	g.place(fours)
	g.op("CMP", immediate(4), g.columns)
	g.branch("BLT", ones)
	low := g.compute("fcvtn.2s", g.standardise(0))
	g.storeVector(g.update("fcvtn2.4s", low, g.standardise(vectorBytes)), at(g.dst, 0))
	g.advance(4)
	g.branch("B", fours)
	g.place(ones)
	g.branch("CBZ", next, g.columns)
	g.place(one)
	g.storePart("FMOVS", g.compute("fcvt.s", g.standardiseOne()), at(g.dst, 0))
	g.advance(1)
	g.branch("CBNZ", one, g.columns)
	g.place(next)
}

// standardise returns (row − mean)/std, in float64, for two columns: the offset is 0 for the next two, or vectorBytes for
// the two after them.
func (g gathererNEON) standardise(offset int) vec {
	x, mean, std := g.newVector(), g.newVector(), g.newVector()
	g.loadVector(at(g.row, offset), x)
	g.loadVector(at(g.mean, offset), mean)
	g.loadVector(at(g.std, offset), std)
	return g.compute("fdiv.2d", g.compute("fsub.2d", x, mean), std)
}

// standardiseOne returns (row − mean)/std, in float64, for the next column.
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
	g.op("SUB", immediate(columns), g.columns, g.columns)
}
