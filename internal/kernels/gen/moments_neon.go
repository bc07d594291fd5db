package main

// welfordNEON writes the kernel of Welford's update for arm64.
type welfordNEON struct {
	neon
	mean, m2, x, n general // addresses of the next numbers, and their number
	inverse        vec     // 1/n of the draw, in all lanes
}

// momentsNEON writes the kernel of Welford's update: four numbers at a time first, then one.
func momentsNEON(a *assembler) {
	m := newNEON(a)
	m.function("welfordNEON", "mean, m2 *float64, x *float32, n int, inverse float64",
		"is kernels.Welford of n numbers, with inverse = 1/n of the draw.")
	w := welfordNEON{
		neon:    m,
		mean:    m.parameter("mean"),
		m2:      m.parameter("m2"),
		x:       m.parameter("x"),
		n:       m.parameter("n"),
		inverse: m.newVector(),
	}
	one := m.newVector()
	m.loadFloatArgument("FMOVD", "inverse", one)
	m.duplicate(w.inverse, one, "D[0]")
	w.write()
	m.finish()
}

// write writes the loops.
func (w welfordNEON) write() {
	fours, ones, one, done := w.label("fours"), w.label("ones"), w.label("one"), w.label("done")
	w.place(fours)
	w.op("CMP", immediate(4), w.n)
	w.branch("BLT", ones)
	draws := w.newVector()
	w.loadVector(at(w.x, 0), draws)
	w.addDraws("FMOVQ", ".2d", w.compute("fcvtl.2d", draws), 0)
	w.addDraws("FMOVQ", ".2d", w.compute("fcvtl2.2d", draws), vectorBytes)
	w.advance(4)
	w.branch("B", fours)
	w.place(ones)
	w.branch("CBZ", done, w.n)
	w.place(one)
	draw := w.newVector()
	w.loadPart("FMOVS", at(w.x, 0), draw)
	w.addDraws("FMOVD", ".d", w.compute("fcvt.d", draw), 0)
	w.advance(1)
	w.branch("CBNZ", one, w.n)
	w.place(done)
	w.writeReturn()
}

// addDraws writes the update by draws, offset bytes after the next: mean += inverse·distance and
// m2 += distance·(draw − mean) with distance = draw − mean before. The draws are one or two lanes, as the
// mnemonic of loads and the suffix of instructions say.
func (w welfordNEON) addDraws(load, suffix string, draw vec, offset int) {
	mean, m2 := w.newVector(), w.newVector()
	w.loadPart(load, at(w.mean, offset), mean)
	w.loadPart(load, at(w.m2, offset), m2)
	distance := w.compute("fsub"+suffix, draw, mean)
	w.vector("fmla"+suffix, mean, distance, w.inverse)
	w.vector("fmla"+suffix, m2, distance, w.compute("fsub"+suffix, draw, mean))
	w.storePart(load, mean, at(w.mean, offset))
	w.storePart(load, m2, at(w.m2, offset))
}

// advance moves past a number of draws.
func (w welfordNEON) advance(draws int) {
	w.op("ADD", immediate(4*draws), w.x, w.x)
	w.op("ADD", immediate(8*draws), w.mean, w.mean)
	w.op("ADD", immediate(8*draws), w.m2, w.m2)
	w.op("SUB", immediate(draws), w.n, w.n)
}
