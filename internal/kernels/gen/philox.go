package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	philoxM0, philoxM1 = 0xD2511F53, 0xCD9E8D57
	philoxW0, philoxW1 = 0x9E3779B9, 0xBB67AE85
	philoxRounds       = 7
)

// philox writes the rounds of Philox for two batches of counters. One counter lives in
// the low halves of one 64-bit lane of four registers (one for each of its words), so a
// batch is 8 counters or, with AVX2, 4. The high halves hold rubbish that VPMULUDQ does
// not look at. A round is a chain of slow instructions, so two batches go through the
// rounds side by side.
//
// At the end the four words of a lane are put together, first by pairs into
// 64 bits, then by unpacking two registers of pairs, which takes even lanes
// to one result and odd lanes to another: the counters are dealt to lanes in
// the order that makes those results contiguous.
type philox struct {
	vectorMath
	keys Mem // AVX2: where the keys of all rounds lie
}

// Registers: two batches have 0 to 5 and 6 to 11, then come these. AVX-512
// keeps the keys of round r in 16+2r and 17+2r.
const (
	mul0       = 12
	mul1       = 13
	stepWord   = 14
	streamWord = 15
)

func (m *philox) reg(i int) reg.VecPhysical {
	if m.isAVX512 {
		return zmm[i]
	}
	return ymm[i]
}

// spread broadcasts a 32-bit word to 64-bit lanes.
func (m *philox) spread(word reg.GPVirtual, to int) {
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

// order is the number in its batch of the counter of each lane.
func (m *philox) order() Mem {
	deal, name := []uint64{0, 2, 1, 3}, "_order4"
	if m.isAVX512 {
		deal, name = []uint64{0, 4, 1, 5, 2, 6, 3, 7}, "_order8"
	}
	table := m.StaticGlobal(m.name + name)
	m.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, n := range deal {
		m.AddDatum(8*i, U64(n))
	}
	return table
}

// setRounds prepares what is the same in all counters and in all rounds. It returns
// a register that is free.
func (m *philox) setRounds() (word reg.GPVirtual) {
	word = m.GP64()
	m.Load(m.Param("step"), word.As32())
	m.spread(word, stepWord)
	m.Load(m.Param("stream"), word.As32())
	m.spread(word, streamWord)
	m.setKeys()
	for i, c := range []uint32{philoxM0, philoxM1} {
		m.MOVL(U32(c), word.As32())
		m.spread(word, mul0+i)
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
				m.spread(k, 16+2*r+i)
			} else {
				m.spread(k, 0)
				m.VMOVDQU(ymm[0], m.keys.Offset(32*(2*r+i)))
			}
			if weyl := []uint32{philoxW0, philoxW1}[i]; r < philoxRounds-1 {
				m.ADDL(U32(weyl), k.As32())
			}
		}
	}
}

// rounds turns the counters of forEachISA batches into random words and says which
// registers, beyond a batch's first, those are in. A product's low half is
// the next round's word 1 or 3 as it stands, so registers change names where
// others would move numbers.
func (m *philox) rounds() (words [4]int) {
	high := [2]int{0, 2}    // words 0 and 2 from the first round on
	product := [2]int{4, 5} // of words 0 and 2
	free := [2]int{3, 1}    // for the next products
	for r := range philoxRounds {
		// The words at the round's start: all of a batch's own, except that
		// words 2 and 3 of the counters are the same for all.
		in := func(batch, word int) reg.VecPhysical {
			if r == 0 {
				return m.reg([]int{batch, batch + 1, stepWord, streamWord}[word])
			}
			return m.reg(batch + words[word])
		}
		for _, b := range []int{0, 6} {
			m.VPMULUDQ(in(b, 0), m.reg(mul0), m.reg(b+product[0]))
			m.VPMULUDQ(in(b, 2), m.reg(mul1), m.reg(b+product[1]))
		}
		for _, b := range []int{0, 6} {
			m.VPSRLQ(Imm(32), m.reg(b+product[1]), m.reg(b+high[0]))
			m.VPSRLQ(Imm(32), m.reg(b+product[0]), m.reg(b+high[1]))
			for i, odd := range []int{1, 3} {
				x := m.reg(b + high[i])
				if m.isAVX512 {
					const xor3 = 0x96
					m.VPTERNLOGD(Imm(xor3), in(b, odd), zmm[16+2*r+i], x)
				} else {
					m.VPXOR(in(b, odd), x, x)
					m.VPXOR(m.keys.Offset(32*(2*r+i)), x, x)
				}
			}
		}
		words = [4]int{high[0], product[1], high[1], product[0]}
		product, free = free, product
	}
	return words
}

// setJoin prepares what join needs: K2 selects the low halves of lanes.
func (m *philox) setJoin() {
	if m.isAVX512 {
		low := m.GP32()
		m.MOVL(U32(0x5555), low)
		m.KMOVW(low, reg.K2)
	}
}

// join leaves the 16-bit numbers of a batch's first half in its register 0,
// in order, and of its second half in register 1.
func (m *philox) join(base int, words [4]int) {
	for i := 0; i < 4; i += 2 {
		low, high := m.reg(base+words[i]), m.reg(base+words[i+1])
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
