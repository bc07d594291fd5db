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

// masks writes dropout masks. One counter lives in the low halves of one
// 64-bit lane of four registers (one for each of its words), so a batch is
// 8 counters or, with AVX2, 4: 64 or 32 numbers. The high halves hold rubbish
// that VPMULUDQ does not look at. A round is a chain of slow instructions, so
// two batches go through the rounds side by side: neighbours in memory,
// whether in one row or in two.
//
// At the end the four words of a lane are put together, first by pairs into
// 64 bits, then by unpacking two registers of pairs, which takes even lanes
// to one result and odd lanes to another: the counters are dealt to lanes in
// the order that makes those results contiguous.
func masks(g *gen) {
	both(g, func(m maths, suffix string) {
		m.function("masks"+suffix, "dst *float32, rows, cols int, key uint64, firstRow, step, stream, threshold uint32, scale float32",
			"writes dropout masks, for 0 < threshold.")
		(&masker{maths: m}).write()
	})
}

type masker struct {
	maths
	keys  Mem // AVX2: where the keys of all rounds lie
	limit Op  // the threshold, for comparing
	keep  Op  // the scale

	dst, rows, row, first, left reg.GPVirtual // what is still to do, from where
}

// Registers: two batches have 0 to 5 and 6 to 11, then come these. AVX-512
// keeps the keys of round r in 16+2r and 17+2r, and limit and keep behind.
const (
	mul0       = 12
	mul1       = 13
	stepWord   = 14
	streamWord = 15
)

func (m *masker) reg(i int) reg.VecPhysical {
	if m.wide {
		return zmm[i]
	}
	return ymm[i]
}

// spread broadcasts a 32-bit word to 64-bit lanes.
func (m *masker) spread(word reg.GPVirtual, to int) {
	m.MOVL(word.As32(), word.As32()) // clears the upper half
	if m.wide {
		m.VPBROADCASTQ(word, zmm[to])
		return
	}
	x := []reg.Register{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7,
		reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15}[to]
	m.VMOVQ(word, x)
	m.VPBROADCASTQ(x, ymm[to])
}

// order is the number in its batch of the counter of each lane.
func (m *masker) order() Mem {
	deal, name := []uint64{0, 2, 1, 3}, "_order4"
	if m.wide {
		deal, name = []uint64{0, 4, 1, 5, 2, 6, 3, 7}, "_order8"
	}
	table := m.StaticGlobal(m.name + name)
	m.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, n := range deal {
		m.AddDatum(8*i, U64(n))
	}
	return table
}

// counters is the size of a batch.
func (m *masker) counters() int { return m.bytes() / 8 }

func (m *masker) write() {
	order := m.order()
	m.dst, m.rows, m.row, m.first, m.left = m.GP64(), m.GP64(), m.GP64(), m.GP64(), m.GP64()
	m.Load(m.Param("dst"), m.dst)
	m.Load(m.Param("rows"), m.rows)
	m.Load(m.Param("firstRow"), m.row.As32())
	m.setOutput(m.setRounds())

	next, done := m.label("batches"), m.label("done")
	m.XORQ(m.first, m.first)
	m.Load(m.Param("cols"), m.left)
	m.Label(next)
	m.TESTQ(m.rows, m.rows)
	m.JLE(LabelRef(done))
	count := []reg.GPVirtual{m.GP64(), m.GP64()}
	for i := range 2 {
		m.deal(6*i, order, count[i])
	}
	words := m.rounds()
	for i := range 2 {
		m.join(6*i, words)
		if m.wide {
			m.storeWide(6*i, count[i])
		} else {
			m.storeNarrow(6*i, count[i])
		}
	}
	m.JMP(LabelRef(next))
	m.Label(done)
	m.finish()
}

// setRounds prepares what is the same in all counters and in all rounds. It returns
// a register that is free.
func (m *masker) setRounds() (word reg.GPVirtual) {
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
func (m *masker) setKeys() {
	low, high := m.GP64(), m.GP64()
	m.Load(m.Param("key"), low)
	m.MOVQ(low, high)
	m.SHRQ(Imm(32), high)
	if !m.wide {
		m.keys = m.AllocLocal(2 * philoxRounds * 32)
	}
	for r := range philoxRounds {
		for i, k := range []reg.GPVirtual{low, high} {
			if m.wide {
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

// setOutput prepares limit and keep.
func (m *masker) setOutput(word reg.GPVirtual) {
	scale, err := m.Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	m.Load(m.Param("threshold"), word.As32())
	if m.wide {
		m.limit, m.keep = zmm[30], zmm[31]
		m.DECL(word.As32()) // unsigned words ≤ threshold − 1, which has 16 bits
		m.VPBROADCASTW(word.As32(), zmm[30])
		m.VBROADCASTSS(scale.Addr, zmm[31])
		m.setJoin()
		return
	}
	limit, keep := m.AllocLocal(32), m.AllocLocal(32)
	m.limit, m.keep = limit, keep
	m.VMOVQ(word, reg.X0)
	m.VPBROADCASTD(reg.X0, ymm[0])
	m.VMOVDQU(ymm[0], limit)
	m.VBROADCASTSS(scale.Addr, ymm[0])
	m.VMOVUPS(ymm[0], keep)
}

// deal sets the counters of the next batch, in registers from base on: word 0
// in the first, word 1, the row, in the second. It sets count to the numbers
// that the batch is to write, 0 if all is done, and goes on.
func (m *masker) deal(base int, order Mem, count reg.GPVirtual) {
	dealt, zero := m.label("dealt"), m.GP64()
	m.spread(m.row, base+1)
	m.spread(m.first, base)
	m.VPADDQ(order, m.reg(base), m.reg(base))
	m.MOVQ(m.left, count)
	m.XORQ(zero, zero)
	m.TESTQ(m.rows, m.rows)
	m.CMOVQLE(zero, count)
	m.ADDQ(Imm(uint64(m.counters())), m.first)
	m.SUBQ(Imm(uint64(8*m.counters())), m.left)
	m.JG(LabelRef(dealt))
	m.INCL(m.row.As32())
	m.DECQ(m.rows)
	m.XORQ(m.first, m.first)
	m.Load(m.Param("cols"), m.left)
	m.Label(dealt)
}

// rounds turns the counters of both batches into random words and says which
// registers, beyond a batch's first, those are in. A product's low half is
// the next round's word 1 or 3 as it stands, so registers change names where
// others would move numbers.
func (m *masker) rounds() (words [4]int) {
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
				if m.wide {
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
func (m *masker) setJoin() {
	if m.wide {
		low := m.GP32()
		m.MOVL(U32(0x5555), low)
		m.KMOVW(low, reg.K2)
	}
}

// join leaves the 16-bit numbers of a batch's first half in its register 0,
// in order, and of its second half in register 1.
func (m *masker) join(base int, words [4]int) {
	for i := 0; i < 4; i += 2 {
		low, high := m.reg(base+words[i]), m.reg(base+words[i+1])
		m.VPSLLQ(Imm(32), high, high)
		if m.wide {
			m.VMOVDQA32(low, reg.K2, high)
		} else {
			m.VPBLENDD(Imm(0x55), low, high, high)
		}
	}
	m.VPUNPCKLQDQ(m.reg(base+words[3]), m.reg(base+words[1]), m.reg(base))
	m.VPUNPCKHQDQ(m.reg(base+words[3]), m.reg(base+words[1]), m.reg(base+1))
}

// storeWide writes a batch's numbers, count or 64, and goes on behind them.
func (m *masker) storeWide(base int, count reg.GPVirtual) {
	const lessOrEqual = 2
	z := zmm[base:]
	m.VPCMPUW(Imm(lessOrEqual), m.limit, z[0], reg.K3)
	m.VPCMPUW(Imm(lessOrEqual), m.limit, z[1], reg.K5)
	m.KSHIFTRD(Imm(16), reg.K3, reg.K4)
	m.KSHIFTRD(Imm(16), reg.K5, reg.K6)
	for i, k := range []reg.Register{reg.K3, reg.K4, reg.K5, reg.K6} {
		m.VMOVAPS_Z(m.keep, k, z[i])
	}
	part, stored := m.label("part"), m.label("stored")
	m.CMPQ(count, Imm(64))
	m.JLT(LabelRef(part))
	for i := range 4 {
		m.VMOVUPS(z[i], mem(m.dst, 64*i))
	}
	m.ADDQ(U32(256), m.dst)
	m.JMP(LabelRef(stored))
	m.Label(part)
	bits := m.GP64()
	m.MOVQ(U64(0xFFFFFFFFFFFFFFFF), bits)
	m.BZHIQ(count, bits, bits)
	for i := range 4 {
		m.KMOVW(bits.As32(), reg.K3)
		m.VMOVUPS(z[i], reg.K3, mem(m.dst, 64*i))
		if i < 3 {
			m.SHRQ(Imm(16), bits)
		}
	}
	m.LEAQ(at(m.dst, count, 4, 0), m.dst)
	m.Label(stored)
}

// storeNarrow is storeWide for 32 numbers.
func (m *masker) storeNarrow(base int, count reg.GPVirtual) {
	y := ymm[base:]
	x := []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, reg.X8, reg.X9, reg.X10, reg.X11}[base:]
	part, stored := m.label("part"), m.label("stored")
	m.VMOVDQU(m.limit, y[5])
	for i := range 4 {
		source := x[i/2]
		if i%2 == 1 {
			m.VEXTRACTI128(Imm(1), y[i/2], x[4])
			source = x[4]
		}
		m.VPMOVZXWD(source, y[2])
		m.VPCMPGTD(y[2], y[5], y[2])
		m.VANDPS(m.keep, y[2], y[2])
		m.CMPQ(count, Imm(8))
		m.JLT(LabelRef(part))
		m.VMOVUPS(y[2], mem(m.dst, 0))
		m.ADDQ(Imm(32), m.dst)
		m.SUBQ(Imm(8), count)
	}
	m.JMP(LabelRef(stored))
	m.Label(part)
	m.TESTQ(count, count)
	m.JLE(LabelRef(stored))
	m.window(y[3], count)
	m.VMASKMOVPS(y[2], y[3], mem(m.dst, 0))
	m.LEAQ(at(m.dst, count, 4, 0), m.dst)
	m.Label(stored)
}
