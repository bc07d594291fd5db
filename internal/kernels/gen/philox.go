package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants of Philox4x32: see package kernels.
const (
	philoxM0, philoxM1 = 0xD2511F53, 0xCD9E8D57
	philoxW0, philoxW1 = 0x9E3779B9, 0xBB67AE85
	philoxRounds       = 7
)

// philox writes the rounds of Philox for two batches of counters. A counter has four 32-bit words.
// Word i of each counter of a batch is in the low half of a 64-bit lane of the batch's register for
// word i, so that a batch has 8 counters with AVX-512 and 4 with AVX2. The high halves have arbitrary
// values, which VPMULUDQ ignores. A round is a chain of slow instructions; two batches, whose
// instructions alternate, keep the CPU busy.
//
// At the end, join puts the four words of each lane together: first pairs of words into 64 bits,
// then pairs of pairs, which takes even lanes to one register and odd lanes to another. Counters are
// assigned to lanes in the order that makes both registers contiguous.
type philox struct {
	avx
	keys Mem // AVX2: keys of all rounds
}

// Vector registers with the same contents in all rounds. The first batch has registers 0 to 5, the
// second 6 to 11. With AVX-512, the keys of round r are in registers 16+2r and 17+2r.
const (
	mul0       = 12
	mul1       = 13
	stepWord   = 14
	streamWord = 15
)

// reg returns vector register i.
func (m *philox) reg(i int) reg.VecPhysical {
	if m.isAVX512 {
		return zmm[i]
	}
	return ymm[i]
}

// broadcastWord copies a 32-bit word to all 64-bit lanes of a vector register.
func (m *philox) broadcastWord(word reg.GPVirtual, to int) {
	m.MOVL(word.As32(), word.As32()) // clears the upper half
	if m.isAVX512 {
		m.VPBROADCASTQ(word, zmm[to])
		return
	}
	x := []reg.Register{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7,
		reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15}[to]
	m.VMOVQ(word, x)
	m.VPBROADCASTQ(x, ymm[to])
}

// order returns the address of the index, within its batch, of the counter in each lane.
func (m *philox) order() Mem {
	if m.isAVX512 {
		return m.table("order8", U64(0), U64(4), U64(1), U64(5), U64(2), U64(6), U64(3), U64(7))
	}
	return m.table("order4", U64(0), U64(2), U64(1), U64(3))
}

// setRounds loads the registers that have the same contents in all rounds. It returns a general
// register that is free afterwards.
func (m *philox) setRounds() (word reg.GPVirtual) {
	word = m.GP64()
	m.Load(m.Param("step"), word.As32())
	m.broadcastWord(word, stepWord)
	m.Load(m.Param("stream"), word.As32())
	m.broadcastWord(word, streamWord)
	m.setKeys()
	for i, c := range []uint32{philoxM0, philoxM1} {
		m.MOVL(U32(c), word.As32())
		m.broadcastWord(word, mul0+i)
	}
	return word
}

// setKeys computes the keys of all rounds.
func (m *philox) setKeys() {
	low, high := m.GP64(), m.GP64()
	m.Load(m.Param("key"), low)
	m.MOVQ(low, high)
	m.SHRQ(Imm(32), high)
	if !m.isAVX512 {
		m.keys = m.AllocLocal(2 * philoxRounds * 32)
	}
	for r := range philoxRounds {
		for i, k := range []reg.GPVirtual{low, high} {
			if m.isAVX512 {
				m.broadcastWord(k, 16+2*r+i)
			} else {
				m.broadcastWord(k, 0)
				m.VMOVDQU(ymm[0], m.keys.Offset(32*(2*r+i)))
			}
			weyl := []uint32{philoxW0, philoxW1}[i]
			if r < philoxRounds-1 { // there is a next round
				m.ADDL(U32(weyl), k.As32())
			}
		}
	}
}

// rounds turns the counters of both batches into random words. It returns the register of each word,
// relative to a batch's first register. The low half of a product is word 1 or 3 of the next round
// without any change, so that no numbers are moved: the words change registers from round to round.
func (m *philox) rounds() (words [4]int) {
	high := [2]int{0, 2}    // registers of words 0 and 2 from the first round on
	product := [2]int{4, 5} // registers of the products of words 0 and 2
	free := [2]int{3, 1}    // registers for the next products
	batches := []int{0, 6}  // first register of each batch
	for round := range philoxRounds {
		// in returns the register of a word at the start of the round. In the first round, words 2
		// and 3 are the same for all counters.
		in := func(batch, word int) reg.VecPhysical {
			if round == 0 {
				return m.reg([]int{batch, batch + 1, stepWord, streamWord}[word])
			}
			return m.reg(batch + words[word])
		}
		for _, batch := range batches {
			m.VPMULUDQ(in(batch, 0), m.reg(mul0), m.reg(batch+product[0]))
			m.VPMULUDQ(in(batch, 2), m.reg(mul1), m.reg(batch+product[1]))
		}
		for _, batch := range batches { // word 0 is high q ^ word 1 ^ key, word 2 is high p ^ word 3 ^ key
			m.VPSRLQ(Imm(32), m.reg(batch+product[1]), m.reg(batch+high[0]))
			m.VPSRLQ(Imm(32), m.reg(batch+product[0]), m.reg(batch+high[1]))
			m.xorWithKey(in(batch, 1), 2*round, m.reg(batch+high[0]))
			m.xorWithKey(in(batch, 3), 2*round+1, m.reg(batch+high[1]))
		}
		words = [4]int{high[0], product[1], high[1], product[0]}
		product, free = free, product
	}
	return words
}

// xorWithKey sets dst to dst ^ word ^ the key with the given index. Each round has two keys.
func (m *philox) xorWithKey(word reg.Register, key int, dst reg.Register) {
	if m.isAVX512 {
		m.VPTERNLOGD(Imm(xor3Table), word, zmm[16+key], dst)
		return
	}
	m.VPXOR(word, dst, dst)
	m.VPXOR(m.keys.Offset(32*key), dst, dst)
}

// setJoin sets K2, with which join selects the low halves of lanes.
func (m *philox) setJoin() {
	if m.isAVX512 {
		low := m.GP32()
		m.MOVL(U32(0x5555), low) // every second bit: the low 32 bits of each 64-bit lane
		m.KMOVW(low, reg.K2)
	}
}

// join puts the words of a batch in order: the words of the first half of its counters into the batch's
// register 0, the words of the second half into register 1.
func (m *philox) join(base int, words [4]int) {
	for i := 0; i < 4; i += 2 {
		low := m.reg(base + words[i])
		high := m.reg(base + words[i+1])
		m.VPSLLQ(Imm(32), high, high)
		if m.isAVX512 {
			m.VMOVDQA32(low, reg.K2, high)
		} else {
			m.VPBLENDD(Imm(0x55), low, high, high)
		}
	}
	m.VPUNPCKLQDQ(m.reg(base+words[3]), m.reg(base+words[1]), m.reg(base))
	m.VPUNPCKHQDQ(m.reg(base+words[3]), m.reg(base+words[1]), m.reg(base+1))
}
