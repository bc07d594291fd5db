package main

// This file writes the parts of Philox for arm64, whose counters have four words of 32 bits. Four counters are in four
// vectors: vector i has word i of each counter, one in each lane.

// multiplyWords returns the low and the high halves of the products of four words with a multiplier, which is
// in all lanes.
func (m neon) multiplyWords(words, multiplier vec) (low, high vec) {
	lowerTwo := m.compute("umull.2d", words, multiplier) // products of 64 bits
	upperTwo := m.compute("umull2.2d", words, multiplier)
	return m.compute("uzp1.4s", lowerTwo, upperTwo), m.compute("uzp2.4s", lowerTwo, upperTwo)
}

// xor3 returns a ^ b ^ c.
func (m neon) xor3(a, b, c vector) vec { return m.compute("eor", m.compute("eor", a, b), c) }

// wordsByCounter transposes the 4×4 matrix of words: the result has a vector for each counter, in place of one for each
// word.
func (m neon) wordsByCounter(words [4]vec) [4]vec {
	// low01 has words 0 and 1 of counters 0 and 1, high01 of counters 2 and 3; low23 and high23 have words 2 and 3.
	low01 := m.compute("zip1.4s", words[0], words[1])
	high01 := m.compute("zip2.4s", words[0], words[1])
	low23 := m.compute("zip1.4s", words[2], words[3])
	high23 := m.compute("zip2.4s", words[2], words[3])
	return [4]vec{
		m.compute("zip1.2d", low01, low23),
		m.compute("zip2.2d", low01, low23),
		m.compute("zip1.2d", high01, high23),
		m.compute("zip2.2d", high01, high23),
	}
}

// duplicateWord copies the low 32 bits of a general register to all lanes of a new register.
func (m neon) duplicateWord(from general) vec {
	r := m.newVector()
	m.duplicateGeneral(from, "4s", r)
	return r
}
