package main

// welfordNEON writes the kernel of Welford's update for arm64.
type welfordNEON struct {
	neon
	mean, m2, x general // addresses of the next numbers
	remaining   general // count of these numbers
	inverse     vec     // 1 divided by the number of draws, in both float64 lanes
}

// momentsNEON writes the kernel of Welford's update: for four numbers at a time while as many remain, then for one at a
// time.
func momentsNEON(a *assembler) {
	m := newNEON(a)
	m.function("welfordNEON", "mean, m2 *float64, x *float32, n int, inverse float64",
		"is kernels.Welford of n numbers, with inverse = 1/n of the draw.")
	w := welfordNEON{
		neon:      m,
		mean:      m.parameter("mean"),
		m2:        m.parameter("m2"),
		x:         m.parameter("x"),
		remaining: m.parameter("n"),
		inverse:   m.newVector(),
	}
	one := m.newVector()
	m.loadFloatArgument("FMOVD", "inverse", one)
	m.duplicate(w.inverse, one, "D[0]")
	w.write()
	m.finish()
}

// write writes the two loops.
func (w welfordNEON) write() {
	fours, ones, one, done := w.label("fours"), w.label("ones"), w.label("one"), w.label("done")
	w.place(fours)
	w.op("CMP", immediate(4), w.remaining)
	w.branch("BLT", ones)
	draws := w.newVector()
	w.loadVector(at(w.x, 0), draws)
	w.addDraws("FMOVQ", ".2d", w.compute("fcvtl.2d", draws), 0)
	w.addDraws("FMOVQ", ".2d", w.compute("fcvtl2.2d", draws), vectorBytes)
	w.advance(4)
	w.branch("B", fours)
	w.place(ones)
	w.branch("CBZ", done, w.remaining)
	w.place(one)
	draw := w.newVector()
	w.loadPart("FMOVS", at(w.x, 0), draw)
	w.addDraws("FMOVD", ".d", w.compute("fcvt.d", draw), 0)
	w.advance(1)
	w.branch("CBNZ", one, w.remaining)
	w.place(done)
	w.writeReturn()
}

// addDraws updates the means and sums of squares for draws, in one or two float64 lanes:
//
//	distance = draw − mean
//	mean    += distance·inverse
//	m2      += distance·(draw − mean)
//
// For two lanes, move is "FMOVQ" and lanes ".2d"; for one lane, "FMOVD" and ".d". The means and sums are offset bytes after
// the addresses w.mean and w.m2.
func (w welfordNEON) addDraws(move, lanes string, draws vec, offset int) {
	mean, m2 := w.newVector(), w.newVector()
	w.loadPart(move, at(w.mean, offset), mean)
	w.loadPart(move, at(w.m2, offset), m2)
	distance := w.compute("fsub"+lanes, draws, mean)
	w.vector("fmla"+lanes, mean, distance, w.inverse)
	w.vector("fmla"+lanes, m2, distance, w.compute("fsub"+lanes, draws, mean))
	w.storePart(move, mean, at(w.mean, offset))
	w.storePart(move, m2, at(w.m2, offset))
}

// advance moves the addresses past a number of draws.
func (w welfordNEON) advance(draws int) {
	w.op("ADD", immediate(4*draws), w.x, w.x)
	w.op("ADD", immediate(8*draws), w.mean, w.mean)
	w.op("ADD", immediate(8*draws), w.m2, w.m2)
	w.op("SUB", immediate(draws), w.remaining, w.remaining)
}
