package main

// packNEON writes the kernel that copies a matrix into panels of columns, like pack: row by row from the top, and in each
// row 16 columns at a time.
func packNEON(a *assembler) {
	a.function("packNEON", "dst *float32, panel int, src *float32, ld int, rows, sixteens, width int", packDoc)
	p := &packerNEON{
		assembler: a,
		dst:       a.parameter("dst"),
		panel:     a.parameter("panel"),
		src:       a.parameter("src"),
		distance:  a.parameter("ld"),
		rows:      a.parameter("rows"),
		sixteens:  a.parameter("sixteens"),
		width:     a.parameter("width"),
		panelRow:  a.general(),
	}
	p.write()
	a.finish()
}

// packerNEON writes the kernel that copies a matrix into panels.
type packerNEON struct {
	*assembler
	dst      general // address of the current row in the first panel
	panel    general // distance from the end of a row in a panel to its continuation in the next, in bytes
	src      general // address of the current row in the matrix
	distance general // distance between rows of the matrix in bytes
	rows     general // number of remaining rows
	sixteens general // groups of 16 columns per row
	width    general // groups of 16 columns per panel
	panelRow general // bytes per row of a panel
}

// write writes the loop over the rows.
func (p *packerNEON) write() {
	p.op("LSL", immediate(6), p.width, p.panelRow) // 64 bytes for each 16 columns
	down := p.label("down")
	right := p.label("right")
	samePanel := p.label("same")
	p.place(down)
	from := p.copyGeneral(p.src)
	to := p.copyGeneral(p.dst)
	remaining := p.copyGeneral(p.sixteens)
	inPanel := p.copyGeneral(p.width) // groups up to the end of the panel
	p.place(right)
	p.copySixteen(from, to)
	p.op("SUBS", immediate(1), inPanel)
	p.branch("BNE", samePanel)
	p.op("MOVD", p.width, inPanel)
	p.op("ADD", p.panel, to)
	p.place(samePanel)
	p.op("SUBS", immediate(1), remaining)
	p.branch("BNE", right)
	p.op("ADD", p.distance, p.src)
	p.op("ADD", p.panelRow, p.dst)
	p.op("SUBS", immediate(1), p.rows)
	p.branch("BNE", down)
	p.op("RET")
}

// copySixteen copies 16 numbers and moves both addresses past them.
func (p *packerNEON) copySixteen(from, to general) {
	p.loadPair(at(from, 0), 0, 1)
	p.loadPair(at(from, 2*vectorBytes), 2, 3)
	p.storePair(0, 1, at(to, 0))
	p.storePair(2, 3, at(to, 2*vectorBytes))
	p.op("ADD", immediate(4*vectorBytes), from)
	p.op("ADD", immediate(4*vectorBytes), to)
}
