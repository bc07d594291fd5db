package main

// noiseNEON writes the kernels that draw random words and turn them into random numbers for arm64.
func noiseNEON(a *assembler) {
	m := newNEON(a)
	m.function("wordsNEON", "dst *uint32, groups int, key uint64, step, stream uint32, counters *uint64, rows, blocks, last, width uint64",
		"writes random words, four of each counter, for groups of four counters: see Noise.drawPaddedWords.")
	(&wordWriterNEON{neon: m}).write()
	m.finish()
	m.function("uniformsNEON", "dst *float32, words *uint32, n int", "is kernels.uniforms.")
	uniforms(vectorMath{m})
	m.finish()
	m.function("normalsNEON", "dst *float32, words *uint32, n int, inside *uint32, width *float32, outside *uint64",
		"makes n words normal numbers, and sets a bit for those that need more than their word, whose numbers are rubbish.")
	newNormalWriterNEON(m).write()
	m.finish()
}

// wordWriterNEON writes the kernel that draws random words, for four counters at a time.
type wordWriterNEON struct {
	neon
	keys       general // address of vectors with the keys: two for each round
	mul0, mul1 vec
	counter    [4]vec // words of the next counters

	rows, blocks, last, width vec // steps from one group of counters to the next: see Noise.drawPaddedWords
}

// write writes the whole function: a loop over groups of counters.
func (w *wordWriterNEON) write() {
	w.setKeys()
	w.mul0 = w.copyOf(w.constant(philoxM0))
	w.mul1 = w.copyOf(w.constant(philoxM1))
	w.setCounters()
	dst := w.parameter("dst")
	groups := w.parameter("groups")
	next, done := w.label("groups"), w.label("done")
	w.branch("CBZ", done, groups)
	w.place(next)
	for i, words := range w.wordsByCounter(w.rounds()) {
		w.storeVector(words, at(dst, vectorBytes*i))
	}
	w.advanceCounters()
	w.op("ADD", immediate(4*vectorBytes), dst, dst)
	w.op("SUBS", immediate(1), groups, groups)
	w.branch("BNE", next)
	w.place(done)
	w.writeReturn()
}

// setKeys computes the keys of all rounds.
func (w *wordWriterNEON) setKeys() {
	w.keys = w.local(2 * philoxRounds * vectorBytes)
	low := w.parameter("key")
	high, weyl := w.general(), w.general()
	w.op("LSR", immediate(32), low, high)
	for round := range philoxRounds {
		for i, k := range []general{low, high} {
			w.storeVector(w.spreadWord(k), at(w.keys, vectorBytes*(2*round+i)))
			w.op("MOVD", immediate([]int{philoxW0, philoxW1}[i]), weyl)
			w.op("ADDW", weyl, k, k)
		}
	}
	w.release(low, high, weyl)
}

// key loads a key.
func (w *wordWriterNEON) key(i int) vec {
	r := w.newVector()
	w.loadVector(at(w.keys, vectorBytes*i), r)
	return r
}

// setCounters loads the first four counters, one in each lane, and the steps from four counters to the next four. The
// argument "counters" holds the rows of 16 counters and then their first words, all of 64 bits with the value in the low
// half: as many as the kernels for AVX-512 take at once. NEON takes the first four of each.
func (w *wordWriterNEON) setCounters() {
	const rowsBytes = 16 * 8
	from := w.parameter("counters")
	loadLowHalves := func(offset int) vec { // of four 64-bit words
		low, high := w.newVector(), w.newVector()
		w.loadVector(at(from, offset), low)
		w.loadVector(at(from, offset+vectorBytes), high)
		return w.compute("uzp1.4s", low, high)
	}
	w.counter = [4]vec{loadLowHalves(rowsBytes), loadLowHalves(0), w.spreadArgument("step"), w.spreadArgument("stream")}
	w.rows = w.spreadArgument("rows")
	w.blocks = w.spreadArgument("blocks")
	w.last = w.spreadArgument("last")
	w.width = w.spreadArgument("width")
	w.release(from)
}

// spreadArgument copies the low 32 bits of an argument to all lanes.
func (w *wordWriterNEON) spreadArgument(name string) vec {
	r := w.parameter(name)
	defer w.release(r)
	return w.spreadWord(r)
}

// rounds returns the random words of the counters.
func (w *wordWriterNEON) rounds() [4]vec {
	words := w.counter
	for round := range philoxRounds {
		low0, high0 := w.multiplyWords(words[0], w.mul0)
		low2, high2 := w.multiplyWords(words[2], w.mul1)
		words = [4]vec{
			w.xor3(high2, words[1], w.key(2*round)),
			low2,
			w.xor3(high0, words[3], w.key(2*round+1)),
			low0,
		}
	}
	return words
}

// advanceCounters moves the counters on by whole rows and further blocks of four words, with a step to the next
// row if that exceeds the last block of the row.
func (w *wordWriterNEON) advanceCounters() {
	block, row := w.counter[0], w.counter[1]
	w.vector("add.4s", block, block, w.blocks)
	w.vector("add.4s", row, row, w.rows)
	exceeds := w.compute("cmhi.4s", block, w.last) // −1 in lanes whose next block is in the next row, or else 0
	w.vector("sub.4s", row, row, exceeds)
	w.vector("sub.4s", block, block, w.compute("and", exceeds, w.width))
}

// normalWriterNEON writes the kernel of normal numbers: see numberWriter.normals.
type normalWriterNEON struct {
	neon
	inside, width general // addresses of the tables
	outside       general // address of the next 64 marks
	marks         general // the marks so far, which are not stored yet
	count         general // their number
}

// newNormalWriterNEON loads the arguments that only normal numbers need.
func newNormalWriterNEON(m neon) normalWriterNEON {
	d := normalWriterNEON{
		neon:    m,
		inside:  m.parameter("inside"),
		width:   m.parameter("width"),
		outside: m.parameter("outside"),
		marks:   m.general(),
		count:   m.general(),
	}
	m.op("MOVD", immediate(0), d.marks)
	m.op("MOVD", immediate(0), d.count)
	return d
}

// write writes the loop over the words.
func (d normalWriterNEON) write() {
	dst := d.argument("dst")
	words := d.argument("words")
	n := d.argument("n")
	d.loop(n, vectorLoop{
		in:     []stream{{next: words}},
		out:    []stream{{next: dst}},
		body:   func(in []vector) []vector { return []vector{d.normal(in[0].(vec))} },
		unroll: 1,
	})
	stored := d.label("stored")
	d.branch("CBZ", stored, d.count)
	d.op("MOVD", d.marks, at(d.outside, 0))
	d.place(stored)
	d.writeReturn()
}

// normal returns normal numbers of four words, and marks those outside the density.
func (d normalWriterNEON) normal(words vec) vector {
	inside, width := d.lookUp(words)
	k := d.and(words, d.constant(^uint32(strips-1)))
	distance := d.compute("abs.4s", d.or(k, d.constant(strips/2)))
	in := d.compute("cmgt.4s", inside, distance)
	bits := neonConstant{vectorConstant{2<<32 | 1, 8<<32 | 4}} // the mark of each lane
	d.mark(d.compute("bic", bits, in))
	return d.fma(d.toFloat(k), width, d.mul(width, d.float(strips/2)))
}

// lookUp returns, for each lane, the entries of the tables inside and width of one strip, a horizontal part of the
// area under the normal density. The low bits of the lane's word choose the strip. NEON cannot load from four addresses
// at once, so the lanes are loaded one after the other; the first load clears the others.
func (d normalWriterNEON) lookUp(words vec) (inside, width vec) {
	inside, width = d.newVector(), d.newVector()
	strip, place := d.general(), d.general()
	for lane := range lanesPerVector {
		d.copyLane(words, []string{"S[0]", "S[1]", "S[2]", "S[3]"}[lane], strip)
		d.op("AND", immediate(strips-1), strip, strip)
		d.op("LSL", immediate(2), strip, strip)
		for _, t := range []struct {
			table general
			to    vec
		}{{d.inside, inside}, {d.width, width}} {
			d.op("ADD", t.table, strip, place)
			if lane == 0 {
				d.loadPart("FMOVS", at(place, 0), t.to)
			} else {
				d.loadLane(place, t.to, lane)
			}
		}
	}
	d.release(strip, place)
	return inside, width
}

// mark adds the marks of four numbers, and stores the marks if they are 64.
func (d normalWriterNEON) mark(bits vec) {
	four := d.general()
	unfinished := d.label("unfinished")
	d.copyLane(d.compute("addv.4s", bits), "S[0]", four)
	d.op("LSL", d.count, four, four)
	d.op("ORR", four, d.marks, d.marks)
	d.op("ADD", immediate(lanesPerVector), d.count, d.count)
	d.op("AND", immediate(63), d.count, d.count)
	d.branch("CBNZ", unfinished, d.count)
	d.op("MOVD", d.marks, at(d.outside, 0))
	d.op("ADD", immediate(8), d.outside, d.outside)
	d.op("MOVD", immediate(0), d.marks)
	d.place(unfinished)
	d.release(four)
}
