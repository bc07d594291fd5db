package main

// maskWriterNEON writes the kernel of dropout masks for arm64. A unit is kept if 16 random bits of Philox are at most a
// threshold: its element of the mask is the scale then, and 0 otherwise. A counter of Philox has the bits for eight
// columns, and four counters, which are computed together, for 32.
//
// The kernel works in strips of 32 columns from the first row to the last, so that the products of Philox that depend on
// the column alone are computed once for each strip: masks and kernels.maskConstants explain the rounds.
type maskWriterNEON struct {
	neon
	constants  general // address of the words of kernels.maskConstants
	mul0, mul1 vec     // multipliers of Philox
	strip      [4]vec  // the strip's parts of rounds 3, 3, 3 and 4
	keys       [7]vec  // keys of rounds 4 to 7
	threshold  vec     // in 16-bit lanes
	scale      vec

	width   general // number of columns of the strip
	next    general // address of the strip's next row in dst
	scratch general // an address
}

// masksNEON writes the kernel of dropout masks.
func masksNEON(a *assembler) {
	m := &maskWriterNEON{neon: newNEON(a)}
	m.function("masksNEON", "dst *float32, rows, cols int, firstRow uint32, words *uint64", masksDoc)
	m.loadConstants()
	m.writeStrips()
	m.finish()
}

// columnsPerStrip is the number of columns of a strip: four counters have random bits for 32.
const columnsPerStrip = 32

// loadConstants loads the constants of all strips to registers.
func (m *maskWriterNEON) loadConstants() {
	m.constants = m.parameter("words")
	m.scratch = m.general()
	const highHalf = 4 // offset of the high half of a constant in bytes
	for i := range m.keys {
		offset := 8 * (maskKeys + i)
		if i >= 5 { // the keys of the last round are shifted left by 32 bits
			offset += highHalf
		}
		m.keys[i] = m.repeated(offset)
	}
	m.mul0 = m.repeated(8 * maskMul)
	m.mul1 = m.repeated(8 * (maskMul + 1))
	m.threshold = m.repeated(8 * maskThreshold)
	m.scale = m.repeated(8 * maskScale)
}

// repeated returns a new register with copies of the 32-bit word at an offset in the constants.
func (m *maskWriterNEON) repeated(offset int) vec {
	r := m.newVector()
	m.op("ADD", immediate(offset), m.constants, m.scratch)
	m.loadRepeated(m.scratch, "4s", r)
	return r
}

// writeStrips writes the loop over the strips, from left to right, and in it the loop over the rows.
func (m *maskWriterNEON) writeStrips() {
	dst := m.parameter("dst")   // address of the strip
	cols := m.parameter("cols") // number of columns from the strip's first one on
	rows := m.parameter("rows")
	firstRow := m.parameter("firstRow")
	rowBytes := m.general()
	m.op("LSL", immediate(2), cols, rowBytes)
	left, row := m.general(), m.general()
	m.width = m.general()
	m.next = m.general()
	firstCounters := neonConstant{vectorConstant{1 << 32, 3<<32 | 2}} // 0, 1, 2 and 3
	counters := m.copyOf(firstCounters)                               // of the strip: a counter's column is its first word
	for i := range m.strip {
		m.strip[i] = m.newVector()
	}

	strip, again := m.label("strip"), m.label("row")
	m.place(strip)
	m.setStrip(counters)
	m.op("MOVD", immediate(columnsPerStrip), m.width)
	m.op("CMP", m.width, cols)
	m.op("CSEL LT,", cols, m.width, m.width) // the smaller of both
	m.op("MOVD", dst, m.next)
	m.op("MOVD", rows, left)
	m.op("MOVD", firstRow, row)
	m.place(again)
	m.writeRow(row)
	m.op("ADD", rowBytes, m.next, m.next)
	m.op("ADDW", immediate(1), row, row)
	m.op("SUBS", immediate(1), left, left)
	m.branch("BNE", again)
	m.vector("add.4s", counters, counters, m.register(m.constant(4)))
	m.op("ADD", immediate(4*columnsPerStrip), dst, dst)
	m.op("SUBS", immediate(columnsPerStrip), cols, cols)
	m.branch("BGT", strip)
	m.writeReturn()
}

// setStrip computes the strip's parts of rounds 3 and 4, from the products that depend on the column alone.
func (m *maskWriterNEON) setStrip(counters vec) {
	low1, high1 := m.multiplyWords(counters, m.mul0)
	low2, high2 := m.multiplyWords(m.compute("eor", high1, m.repeated(8*maskColumn)), m.mul1)
	low3, high3 := m.multiplyWords(m.compute("eor", high2, m.repeated(8*(maskColumn+1))), m.mul0)
	for i, part := range []vec{low1, low2, high3, low3} {
		m.vector("eor", m.strip[i], part, m.repeated(8*(maskStrip+i)))
	}
}

// writeRow writes one row of a strip: it computes the random words of the row's four counters, beginning with the parts of
// round 3 that depend on the row, and stores the elements.
func (m *maskWriterNEON) writeRow(row general) {
	low2, high2 := m.rowProduct(row)
	low3, high3 := m.multiplyWords(m.compute("eor", high2, m.strip[0]), m.mul1) // round 3
	words := [4]vec{
		m.compute("eor", high3, m.strip[1]),
		low3,
		m.compute("eor", low2, m.strip[2]),
		m.strip[3], // includes the key of round 4
	}
	for round := 4; round <= philoxRounds; round++ {
		low0, high0 := m.multiplyWords(words[0], m.mul0)
		low2, high2 := m.multiplyWords(words[2], m.mul1)
		if round == 4 {
			words[0] = m.xor3(high2, words[1], m.keys[0])
			words[2] = m.compute("eor", high0, words[3])
		} else {
			key := 2*round - 9 // index of the round's first key: 1 for round 5, 3 for round 6, 5 for round 7
			words[0] = m.xor3(high2, words[1], m.keys[key])
			words[2] = m.xor3(high0, words[3], m.keys[key+1])
		}
		words[1] = low2
		words[3] = low0
	}
	m.store(m.wordsByCounter(words))
}

// rowProduct returns the low and the high half of the product of round 2 that depends on the row alone.
func (m *maskWriterNEON) rowProduct(row general) (low, high vec) {
	product, factor := m.general(), m.general()
	m.op("MOVWU", at(m.constants, 8*maskRow), product)
	m.op("EORW", row, product, product)
	m.op("MOVD", at(m.constants, 8*maskMul), factor)
	m.op("MUL", factor, product, product)
	low = m.duplicateWord(product)
	m.op("LSR", immediate(32), product, product)
	high = m.duplicateWord(product)
	m.release(product, factor)
	return low, high
}

// store stores the row of a strip, from the random words of each counter: vectors of four columns while the strip has
// as many, and then single columns.
func (m *maskWriterNEON) store(words [4]vec) {
	elements := m.elements(words)
	remaining := m.general()
	stored, narrow := m.label("stored"), m.label("narrow")
	m.op("CMP", immediate(columnsPerStrip), m.width)
	m.branch("BLT", narrow)
	for i, x := range elements {
		m.storeVector(x, at(m.next, vectorBytes*i))
	}
	m.branch("B", stored)
	m.place(narrow)
	m.op("MOVD", m.width, remaining)
	to := m.copyGeneral(m.next)
	for _, x := range elements {
		m.storeSome(remaining, x, to, m.scratch, stored)
	}
	m.place(stored)
	m.release(remaining, to)
}

// elements returns the elements of a row of a strip, the scale or 0, from the random words of each counter. Each half of
// a word decides about one column.
func (m *maskWriterNEON) elements(words [4]vec) (elements [8]vec) {
	for i, w := range words {
		isKept := m.compute("cmhs.8h", m.threshold, w) // ones in the 16-bit lanes that are at most the threshold
		elements[2*i] = m.compute("and", m.compute("zip1.8h", isKept, isKept), m.scale)
		elements[2*i+1] = m.compute("and", m.compute("zip2.8h", isKept, isKept), m.scale)
	}
	return elements
}

// storeSome stores four columns, if as many remain, and moves the address to past them. If fewer remain it stores these
// and jumps to done. It changes the registers remaining and scratch.
func (m neon) storeSome(remaining general, x vec, to, scratch general, done string) {
	whole := m.label("whole")
	m.op("CMP", immediate(lanesPerVector), remaining)
	m.branch("BGE", whole)
	m.branch("CBZ", done, remaining)
	m.storeFirst(remaining, x, to, scratch)
	m.branch("B", done)
	m.place(whole)
	m.storeVector(x, at(to, 0))
	m.op("ADD", immediate(vectorBytes), to, to)
	m.op("SUB", immediate(lanesPerVector), remaining, remaining)
}
