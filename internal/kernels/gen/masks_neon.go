package main

// maskWriterNEON writes the kernel of dropout masks for arm64, in strips of 32 columns, from the first row
// to the last. As with amd64, the products of Philox that depend on the column alone are computed once
// per strip, and words that depend on the row alone once per row: see masks.
type maskWriterNEON struct {
	neon
	words            general // address of the constants
	mul0, mul1       vec
	strip            [4]vec // the column's parts of rounds 3, 3, 3 and 4
	keys             [7]vec // keys of rounds 4 to 7
	threshold, scale vec

	width   general // columns of the strip
	next    general // address of the strip's next row in dst
	address general // an address in between
}

// masksNEON writes the kernel of dropout masks.
func masksNEON(a *assembler) {
	m := &maskWriterNEON{neon: newNEON(a)}
	m.function("masksNEON", "dst *float32, rows, cols int, firstRow uint32, words *uint64", "writes dropout masks; words are those of maskConstants.")
	m.loadConstants()
	m.writeStrips()
	m.finish()
}

// columnsPerStrip is the number of columns that four counters decide about.
const columnsPerStrip = 32

// loadConstants loads the constants that are the same for all strips.
func (m *maskWriterNEON) loadConstants() {
	m.words = m.parameter("words")
	m.address = m.general()
	const highHalf = 4 // bytes up to the high half of a constant
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
	m.op("ADD", immediate(offset), m.words, m.address)
	m.loadRepeated(m.address, "4s", r)
	return r
}

// writeStrips writes the loop over the strips, from left to right, and in it the loop over the rows.
func (m *maskWriterNEON) writeStrips() {
	dst := m.parameter("dst")
	cols := m.parameter("cols") // from the strip's first column on
	rows := m.parameter("rows")
	firstRow := m.parameter("firstRow")
	rowBytes := m.general()
	m.op("LSL", immediate(2), cols, rowBytes)
	left, row := m.general(), m.general()
	m.width = m.general()
	m.next = m.general()
	lanes := neonConstant{vectorConstant{1 << 32, 3<<32 | 2}} // 0, 1, 2 and 3
	counters := m.copyOf(lanes)
	for i := range m.strip {
		m.strip[i] = m.newVector()
	}

	strip, again := m.label("strip"), m.label("row")
	m.place(strip)
	m.setStrip(counters)
	m.op("MOVD", immediate(columnsPerStrip), m.width)
	m.op("CMP", m.width, cols)
	m.op("CSEL LT,", cols, m.width, m.width)
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

// setStrip computes the products that depend on the column alone: see kernels.maskConstants.
func (m *maskWriterNEON) setStrip(counters vec) {
	low1, high1 := m.multiplyWords(counters, m.mul0)
	low2, high2 := m.multiplyWords(m.compute("eor", high1, m.repeated(8*maskColumn)), m.mul1)
	low3, high3 := m.multiplyWords(m.compute("eor", high2, m.repeated(8*(maskColumn+1))), m.mul0)
	for i, part := range []vec{low1, low2, high3, low3} {
		m.vector("eor", m.strip[i], part, m.repeated(8*(maskStrip+i)))
	}
}

// writeRow writes one row of a strip.
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
			key := 2*round - 9 // index of the round's first key: 1 for round 5, 3 for round 6
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
	m.op("MOVWU", at(m.words, 8*maskRow), product)
	m.op("EORW", row, product, product)
	m.op("MOVD", at(m.words, 8*maskMul), factor)
	m.op("MUL", factor, product, product)
	low = m.spreadWord(product)
	m.op("LSR", immediate(32), product, product)
	high = m.spreadWord(product)
	m.release(product, factor)
	return low, high
}

// store stores the row of a strip from the random words of each counter. Each half of a word decides about one
// column. It stores vectors of four columns while the strip has them, and then single columns.
func (m *maskWriterNEON) store(words [4]vec) {
	var elements [8]vec
	for i, w := range words {
		kept := m.compute("cmhs.8h", m.threshold, w) // ones where threshold ≥ bits, in 16 bits
		elements[2*i] = m.compute("and", m.compute("zip1.8h", kept, kept), m.scale)
		elements[2*i+1] = m.compute("and", m.compute("zip2.8h", kept, kept), m.scale)
	}
	left := m.general()
	stored, narrow := m.label("stored"), m.label("narrow")
	m.op("CMP", immediate(columnsPerStrip), m.width)
	m.branch("BLT", narrow)
	for i, x := range elements {
		m.storeVector(x, at(m.next, vectorBytes*i))
	}
	m.branch("B", stored)
	m.place(narrow)
	m.op("MOVD", m.width, left)
	to := m.copyGeneral(m.next)
	for _, x := range elements {
		m.storeSome(left, x, to, m.address, stored)
	}
	m.place(stored)
	m.release(left, to)
}

// storeSome stores a vector if at least four columns are left, subtracts them, and moves the address to. If fewer are
// left it stores their numbers and jumps to done. It changes the register scratch.
func (m neon) storeSome(left general, x vec, to, scratch general, done string) {
	whole := m.label("whole")
	m.op("CMP", immediate(lanesPerVector), left)
	m.branch("BGE", whole)
	m.branch("CBZ", done, left)
	m.storeFirst(left, x, to, scratch)
	m.branch("B", done)
	m.place(whole)
	m.storeVector(x, at(to, 0))
	m.op("ADD", immediate(vectorBytes), to, to)
	m.op("SUB", immediate(lanesPerVector), left, left)
}
