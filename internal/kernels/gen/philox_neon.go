package main

// This file writes Philox for arm64. Word i of four counters is in the four lanes of a vector.

// multiplyWords returns the low and the high halves of the products of four words with a multiplier, which is
// in all lanes.
func (m neon) multiplyWords(words, multiplier vec) (low, high vec) {
	first := m.compute("umull.2d", words, multiplier)
	last := m.compute("umull2.2d", words, multiplier)
	return m.compute("uzp1.4s", first, last), m.compute("uzp2.4s", first, last)
}

// xor3 returns a ^ b ^ c.
func (m neon) xor3(a, b, c vector) vec { return m.compute("eor", m.compute("eor", a, b), c) }

// wordsByCounter returns the four words of each of four counters, from the vectors of each word: it
// transposes a 4×4 matrix.
func (m neon) wordsByCounter(words [4]vec) [4]vec {
	// Words 0 and 1, and words 2 and 3, of counters 0 and 1 (low) or 2 and 3 (high).
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

// spreadWord copies the low 32 bits of a general register to all lanes of a new register.
func (m neon) spreadWord(from general) vec {
	r := m.newVector()
	m.duplicateGeneral(from, "4s", r)
	return r
}
