package main

// gemvNEON writes the product of a matrix and a vector for arm64, c[i] = Σ_p a[i,p]·x[p] or c[i] + Σ, with the sums of
// kernels.Gemm: term p of a row is added to lane p mod 16 of 16 lanes, and the lanes are added at the end. Four vector
// registers have the 16 lanes:
//
//	for each row
//		lanes = 0
//		for each 16 terms: lanes += 16 products       writeSum
//		for each 4 terms: four of the lanes += 4 products, then the last 1, 2 or 3   writeTail
//		c[row] = (0 or c[row]) + sum of the lanes      writeResult
func gemvNEON(a *assembler) {
	a.function("gemvNEON", "c *float32, ldc int, a *float32, lda int, x *float32, m, k, accumulate int",
		"multiplies m rows of k numbers with a vector; distances are in bytes.")
	p := &vectorProductNEON{assembler: a}
	p.write()
	a.finish()
}

// vectorProductNEON writes the product of a matrix and a vector for arm64.
type vectorProductNEON struct {
	*assembler
	terms    general // number of terms of a sum, k
	rest     general // number of terms after the last group of four: k mod 4
	restFrom general // distance in bytes from the start of a row to these terms
}

// Vector registers. Registers 0 to 3 have the lanes of a sum.
const (
	laneRegisters = 4 // number of registers with lanes

	rowNumbers vec = 4 // and the next one: numbers of the row of the matrix
	xNumbers   vec = 6 // and the next one: numbers of x
	restOfX    vec = 8 // the last k mod 4 numbers of x, then 0
	restOfRow  vec = 9 // the last k mod 4 numbers of the row, then −0
)

// write writes the loop over the rows.
func (p *vectorProductNEON) write() {
	c := p.parameter("c")
	cDistance := p.parameter("ldc")
	row := p.parameter("a")
	rowDistance := p.parameter("lda")
	x := p.parameter("x")
	rows := p.parameter("m")
	p.terms = p.parameter("k")
	accumulate := p.parameter("accumulate")
	p.rest = p.general()
	p.restFrom = p.general()
	p.op("AND", immediate(3), p.terms, p.rest)
	p.op("SUB", p.rest, p.terms, p.restFrom)
	p.op("LSL", immediate(2), p.restFrom)
	p.vector("zero", restOfX)
	p.loadRest(x, restOfX)

	again := p.label("row")
	done := p.label("done")
	p.place(again)
	p.branch("CBZ", done, rows)
	p.writeSum(row, x)
	p.writeResult(c, accumulate)
	p.op("ADD", rowDistance, row)
	p.op("ADD", cDistance, c)
	p.op("SUB", immediate(1), rows)
	p.branch("B", again)
	p.place(done)
	p.op("RET")
}

// loadRest loads the last k mod 4 numbers of a row to the first lanes of d: two numbers if bit 1 of k mod 4 is set, and
// one if bit 0 is set. The other lanes of d do not change: the caller sets them so that they add nothing to a sum.
func (p *vectorProductNEON) loadRest(row general, d vec) {
	one := p.label("one")
	none := p.label("none")
	address := p.general()
	p.op("ADD", p.restFrom, row, address)
	p.branch("CBZ", none, p.rest)
	p.branch("TBZ", one, immediate(1), p.rest)
	p.loadHalf(address, d, 0)
	p.branch("TBZ", none, immediate(0), p.rest)
	p.op("ADD", immediate(8), address)
	p.loadLane(address, d, 2)
	p.branch("B", none)
	p.place(one)
	p.loadLane(address, d, 0)
	p.place(none)
	p.release(address)
}

// writeSum sets the lanes to the sums of one row.
//
// The terms after the last four are multiplied as a vector whose other lanes add 0·(−0) = −0 to the sum, which changes
// no number. Adding +0 would change −0.
func (p *vectorProductNEON) writeSum(row, x general) {
	const minusZeros = 0x80000000_80000000
	p.loadConstant(vectorConstant{minusZeros, minusZeros}, restOfRow)
	p.loadRest(row, restOfRow)
	for v := range vec(laneRegisters) {
		p.vector("zero", v)
	}
	remaining := p.copyGeneral(p.terms)
	a := p.copyGeneral(row)
	b := p.copyGeneral(x)
	loop := p.label("lanes")
	tail := p.label("tail")
	p.place(loop)
	p.op("CMP", immediate(lanesPerVector*laneRegisters), remaining)
	p.branch("BLT", tail)
	for v := vec(0); v < laneRegisters; v += 2 {
		p.loadPair(at(a, vectorBytes*int(v)), rowNumbers, rowNumbers+1)
		p.loadPair(at(b, vectorBytes*int(v)), xNumbers, xNumbers+1)
		p.vector("fmla.4s", v, rowNumbers, xNumbers)
		p.vector("fmla.4s", v+1, rowNumbers+1, xNumbers+1)
	}
	p.op("ADD", immediate(vectorBytes*laneRegisters), a)
	p.op("ADD", immediate(vectorBytes*laneRegisters), b)
	p.op("SUB", immediate(lanesPerVector*laneRegisters), remaining)
	p.branch("B", loop)
	p.place(tail)
	p.writeTail(remaining, a, b)
	p.release(remaining, a, b)
}

// writeTail adds the terms after the last 16 to the lanes: four at a time, and then the last 1, 2 or 3.
func (p *vectorProductNEON) writeTail(remaining, a, b general) {
	summed := p.label("summed")
	const last = laneRegisters - 1 // never has four terms here, since fewer than 16 remain
	for v := range vec(last) {
		full := p.label("full")
		p.op("CMP", immediate(lanesPerVector), remaining)
		p.branch("BGE", full)
		p.vector("fmla.4s", v, restOfRow, restOfX)
		p.branch("B", summed)
		p.place(full)
		p.loadVector(at(a, vectorBytes*int(v)), rowNumbers)
		p.loadVector(at(b, vectorBytes*int(v)), xNumbers)
		p.vector("fmla.4s", v, rowNumbers, xNumbers)
		p.op("SUB", immediate(lanesPerVector), remaining)
	}
	p.vector("fmla.4s", last, restOfRow, restOfX)
	p.place(summed)
}

// writeResult adds the lanes in the order of kernels.addLanes, adds their sum to 0 or c, and stores it in c.
func (p *vectorProductNEON) writeResult(c, accumulate general) {
	const start = rowNumbers // 0 or c
	p.addLanes(laneRegisters)
	add := p.label("add")
	p.vector("zero", start)
	p.branch("CBZ", add, accumulate)
	p.loadPart("FMOVS", at(c, 0), start)
	p.place(add)
	p.vector("fadd.4s", 0, start, 0)
	p.storePart("FMOVS", 0, at(c, 0))
}
