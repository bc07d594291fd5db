package main

import "fmt"

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
		normalsDoc)
	newNormalWriterNEON(m).write()
	m.finish()
}

// wordWriterNEON writes the kernel that draws random words, for a group of four counters at a time: see philox_neon.go
// for their place in vectors.
type wordWriterNEON struct {
	neon
	keys       general // address of vectors with the keys of all rounds, two for each
	mul0, mul1 vec     // multipliers of Philox
	counter    [4]vec  // words of the next four counters

	rows, blocks, last, width vec // arguments in all lanes, for the step to the next counters: see advanceCounters
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

// setKeys computes the keys of all rounds and stores them on the stack: each is the key of the round before plus a
// constant.
func (w *wordWriterNEON) setKeys() {
	w.keys = w.local(2 * philoxRounds * vectorBytes)
	low := w.parameter("key")
	high, weyl := w.general(), w.general()
	w.op("LSR", immediate(32), low, high)
	step := [2]int{philoxW0, philoxW1}
	for round := range philoxRounds {
		for i, key := range []general{low, high} {
			w.storeVector(w.duplicateWord(key), at(w.keys, vectorBytes*(2*round+i)))
			w.op("MOVD", immediate(step[i]), weyl)
			w.op("ADDW", weyl, key, key)
		}
	}
	w.release(low, high, weyl)
}

// key loads key i, in all lanes.
func (w *wordWriterNEON) key(i int) vec {
	r := w.newVector()
	w.loadVector(at(w.keys, vectorBytes*i), r)
	return r
}

// setCounters loads the first four counters, one in each lane, and the steps to the next four. The argument "counters"
// has the rows of 16 counters and then their blocks, as numbers of 64 bits: as many as the kernel for AVX-512 takes at
// once. NEON takes the first four of each.
func (w *wordWriterNEON) setCounters() {
	const rowsBytes = 16 * 8
	from := w.parameter("counters")
	w.counter = [4]vec{
		w.loadLowHalves(at(from, rowsBytes)),
		w.loadLowHalves(at(from, 0)),
		w.duplicateArgument("step"),
		w.duplicateArgument("stream"),
	}
	w.rows = w.duplicateArgument("rows")
	w.blocks = w.duplicateArgument("blocks")
	w.last = w.duplicateArgument("last")
	w.width = w.duplicateArgument("width")
	w.release(from)
}

// loadLowHalves loads the low 32 bits of four numbers of 64 bits.
func (w *wordWriterNEON) loadLowHalves(from armMemory) vec {
	low, high := w.newVector(), w.newVector()
	w.loadVector(from, low)
	w.loadVector(at(from.base, from.offset+vectorBytes), high)
	return w.compute("uzp1.4s", low, high)
}

// duplicateArgument copies the low 32 bits of an argument to all lanes.
func (w *wordWriterNEON) duplicateArgument(name string) vec {
	r := w.parameter(name)
	defer w.release(r)
	return w.duplicateWord(r)
}

// rounds returns the random words of the counters: the words after all rounds of Philox, which kernels.maskConstants
// states.
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

// advanceCounters moves on to the next four counters. A counter is a row and a block of four words in the row. In each lane
// it adds the numbers of rows and blocks between a counter and the next. A block beyond the row's last block then belongs
// to the next row: the row grows by 1 and the block shrinks by the row's width.
func (w *wordWriterNEON) advanceCounters() {
	block, row := w.counter[0], w.counter[1]
	w.vector("add.4s", block, block, w.blocks)
	w.vector("add.4s", row, row, w.rows)
	exceeds := w.compute("cmhi.4s", block, w.last) // −1 in lanes whose block is after the row's last one, 0 elsewhere
	w.vector("sub.4s", row, row, exceeds)
	w.vector("sub.4s", block, block, w.compute("and", exceeds, w.width))
}

// normalWriterNEON writes the kernel of normal numbers by the ziggurat method, which numberWriter.normals explains. A
// number whose place is outside the density gets a mark: a bit, which is stored with the bits of 63 other numbers.
type normalWriterNEON struct {
	neon
	inside, width general // addresses of the tables
	outside       general // address of the next 64 marks
	marks         general // marks since the last store
	count         general // number of these marks
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

// normal returns the normal numbers of four words, and marks the numbers outside the density.
func (d normalWriterNEON) normal(words vec) vector {
	inside, width := d.lookUp(words)
	k := d.and(words, d.constant(^uint32(strips-1))) // 128·k in the formulas of normals
	distance := d.compute("abs.4s", d.or(k, d.constant(strips/2)))
	isInside := d.compute("cmgt.4s", inside, distance)
	bitOfLane := neonConstant{vectorConstant{2<<32 | 1, 8<<32 | 4}} // 1, 2, 4 and 8
	d.mark(d.compute("bic", bitOfLane, isInside))
	return d.fma(d.toFloat(k), width, d.mul(width, d.float(strips/2)))
}

// lookUp returns the entries of the tables inside and width for the strip that the low bits of each lane's word choose.
// NEON cannot load from four addresses at once, so that the lanes are loaded one after the other.
func (d normalWriterNEON) lookUp(words vec) (inside, width vec) {
	inside, width = d.newVector(), d.newVector()
	offset, entry := d.general(), d.general()
	for lane := range lanesPerVector {
		d.copyLane(words, fmt.Sprintf("S[%d]", lane), offset)
		d.op("AND", immediate(strips-1), offset, offset)
		d.op("LSL", immediate(2), offset, offset) // from the strip's number to bytes
		d.op("ADD", d.inside, offset, entry)
		d.loadEntry(entry, inside, lane)
		d.op("ADD", d.width, offset, entry)
		d.loadEntry(entry, width, lane)
	}
	d.release(offset, entry)
	return inside, width
}

// loadEntry loads the entry at an address to one lane. For lane 0 it clears the other lanes, so that their old values
// need not be waited for.
func (d normalWriterNEON) loadEntry(entry general, to vec, lane int) {
	if lane == 0 {
		d.loadPart("FMOVS", at(entry, 0), to)
		return
	}
	d.loadLane(entry, to, lane)
}

// mark appends the marks of four numbers, the sum of bits, and stores the marks if there are 64.
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
