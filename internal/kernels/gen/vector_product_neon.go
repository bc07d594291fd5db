package main

// gemvNEON writes the product of a matrix and a vector for arm64, like gemv: the 16 lanes of a sum are four
// registers.
func gemvNEON(a *assembler) {
	a.function("gemvNEON", "c *float32, ldc int, a *float32, lda int, x *float32, m, k, accumulate int",
		"multiplies m rows of k numbers with a vector; distances are in bytes.")
	p := &neonVectorProduct{assembler: a}
	p.write()
	a.finish()
}

// neonVectorProduct writes the product of a matrix and a vector for arm64. Vector registers 0 to 3 hold the 16 partial
// sums of a row, the lanes of the sum.
type neonVectorProduct struct {
	*assembler
	k    general // terms of a sum
	rest general // number of terms after the last group of four, 0 to 3
	from general // distance in bytes to these terms from the start of a row
}

// Further vector registers.
const (
	restOfX   vec = 8 // x of the terms after the last four, with 0 in the other lanes
	restOfRow vec = 9 // these terms of the row of the matrix, with −0 in the other lanes
)

// vectorLaneRegisters is the number of registers with the lanes of a sum.
const vectorLaneRegisters = 4

// write writes the loop over the rows.
func (p *neonVectorProduct) write() {
	c := p.parameter("c")
	ldc := p.parameter("ldc")
	row := p.parameter("a")
	lda := p.parameter("lda")
	x := p.parameter("x")
	rows := p.parameter("m")
	p.k = p.parameter("k")
	accumulate := p.parameter("accumulate")
	p.rest = p.general()
	p.from = p.general()
	p.op("AND", immediate(3), p.k, p.rest)
	p.op("SUB", p.rest, p.k, p.from)
	p.op("LSL", immediate(2), p.from)
	p.vector("zero", restOfX)
	p.loadTail(x, restOfX)

	again := p.label("row")
	done := p.label("done")
	p.place(again)
	p.branch("CBZ", done, rows)
	p.writeSum(row, x)
	p.writeResult(c, accumulate)
	p.op("ADD", lda, row)
	p.op("ADD", ldc, c)
	p.op("SUB", immediate(1), rows)
	p.branch("B", again)
	p.place(done)
	p.op("RET")
}

// loadTail loads the last k mod 4 numbers of a row to the first lanes of d: two at once if bit 1 of their number is
// set, then one if bit 0 is set. The other lanes of d do not change, so that the caller chooses numbers there that
// add nothing to a sum.
func (p *neonVectorProduct) loadTail(row general, d vec) {
	one := p.label("one")
	none := p.label("none")
	address := p.general()
	p.op("ADD", p.from, row, address)
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

// writeSum adds the terms of one row to the lanes. The terms after the last four include products of −0 and
// 0 for the lanes that have none: adding −0 changes no number.
func (p *neonVectorProduct) writeSum(row, x general) {
	const minusZero = 0x80000000_80000000
	p.loadConstant(vectorConstant{minusZero, minusZero}, restOfRow)
	p.loadTail(row, restOfRow)
	for v := range vec(vectorLaneRegisters) {
		p.vector("zero", v)
	}
	left := p.copyGeneral(p.k)
	a := p.copyGeneral(row)
	b := p.copyGeneral(x)
	loop := p.label("lanes")
	tail := p.label("tail")
	p.place(loop)
	p.op("CMP", immediate(4*vectorLaneRegisters), left)
	p.branch("BLT", tail)
	for v := vec(0); v < vectorLaneRegisters; v += 2 {
		p.loadPair(at(a, 16*int(v)), 4, 5)
		p.loadPair(at(b, 16*int(v)), 6, 7)
		p.vector("fmla.4s", v, 4, 6)
		p.vector("fmla.4s", v+1, 5, 7)
	}
	p.op("ADD", immediate(16*vectorLaneRegisters), a)
	p.op("ADD", immediate(16*vectorLaneRegisters), b)
	p.op("SUB", immediate(4*vectorLaneRegisters), left)
	p.branch("B", loop)
	p.place(tail)
	p.writeTail(left, a, b)
	p.release(left, a, b)
}

// writeTail adds the terms after the last 16 to the lanes: four at a time, and those after the last four.
func (p *neonVectorProduct) writeTail(left, a, b general) {
	summed := p.label("summed")
	const last = vectorLaneRegisters - 1 // has no four terms, since there are fewer than 16
	for v := range vec(last) {
		full := p.label("full")
		p.op("CMP", immediate(4), left)
		p.branch("BGE", full)
		p.vector("fmla.4s", v, restOfRow, restOfX)
		p.branch("B", summed)
		p.place(full)
		p.loadVector(at(a, 16*int(v)), 4)
		p.loadVector(at(b, 16*int(v)), 6)
		p.vector("fmla.4s", v, 4, 6)
		p.op("SUB", immediate(4), left)
	}
	p.vector("fmla.4s", last, restOfRow, restOfX)
	p.place(summed)
}

// writeResult adds the lanes as kernels.addLanes does, and adds the sum to 0 or c.
func (p *neonVectorProduct) writeResult(c, accumulate general) {
	const start = 4
	p.addLanes(vectorLaneRegisters)
	add := p.label("add")
	p.vector("zero", start)
	p.branch("CBZ", add, accumulate)
	p.loadPart("FMOVS", at(c, 0), start)
	p.place(add)
	p.vector("fadd.4s", 0, start, 0)
	p.storePart("FMOVS", 0, at(c, 0))
}
