package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// masks writes dropout masks. One counter lives in the low halves of one 64-bit lane of
// four registers (one for each of its words), and the high halves hold rubbish that
// VPMULUDQ does not look at. The lanes are neighbours in a row: a strip of columns is 64
// wide, or 32 with AVX2, and goes down all rows.
//
// Of the words of a counter one says the column, one the row, and two are the same for
// all. In the first rounds most products are therefore of the column alone, or of the row
// alone. Those are taken once for a strip and once for a row; 9 of the 14 products of
// seven rounds are left. kernels.maskWords says what they are made of.
//
// A round is a chain of slow instructions, so two rows go through the rounds side by
// side.
func masks(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.function("masks"+suffix, "dst *float32, rows, cols int, firstRow uint32, words *uint64", "writes dropout masks; words are those of maskWords.")
		(&maskWriter{vectorMath: m}).write()
	})
}

// The words of kernels.maskWords, by number.
const (
	maskRow    = 0
	maskColumn = 1 // two of them, then four of the strip
	maskStrip  = 3
	maskKeys   = 7 // of round 4 the first, then of rounds 5, 6 and 7
	maskMul    = 14
	maskLimit  = 16
	maskKeep   = 17
)

type maskWriter struct {
	vectorMath
	strip       [4]Op // what is of the column in rounds 3, 3, 3 and 4
	keys        [7]Op
	limit, keep Op    // for comparing, and the scale
	order       [2]Op // AVX-512: of words that are put together
	row         Mem   // of two rows, forEachISA halves of the product that is of the row

	words, cols, firstRow, mul reg.Register
	width, at, safe            reg.Register // columns of the strip; where the next row goes; the last place with room for whole vectors
}

// Registers: two rows have 0 to 5 and 6 to 11, then come the multipliers as in philox.

func (m *maskWriter) reg(i int) reg.VecPhysical {
	if m.isAVX512 {
		return zmm[i]
	}
	return ymm[i]
}

// counters is how many counters a register has, eight numbers each.
func (m *maskWriter) counters() int { return m.bytes() / 8 }

// hold makes an operand of register 0: AVX-512 has room for it in register to.
func (m *maskWriter) hold(to int) Op {
	if m.isAVX512 {
		m.VMOVDQA64(zmm[0], zmm[to])
		return zmm[to]
	}
	memory := m.AllocLocal(32)
	m.VMOVDQU(ymm[0], memory)
	return memory
}

// spread broadcasts a word.
func (m *maskWriter) spread(word int, to reg.Register) { m.VPBROADCASTQ(address(m.words, 8*word), to) }

// xor is dst ^= a.
func (m *maskWriter) xor(a Op, dst reg.Register) {
	if m.isAVX512 {
		m.VPXORQ(a, dst, dst)
	} else {
		m.VPXOR(a, dst, dst)
	}
}

// xor3 is dst ^= a ^ b.
func (m *maskWriter) xor3(a, b Op, dst reg.Register) {
	if m.isAVX512 {
		m.VPTERNLOGD(Imm(0x96), a, b, dst)
	} else {
		m.VPXOR(a, dst, dst)
		m.VPXOR(b, dst, dst)
	}
}

func (m *maskWriter) write() {
	m.words, m.cols = m.Load(m.Param("words"), m.GP64()), m.Load(m.Param("cols"), m.GP64())
	m.firstRow = m.Load(m.Param("firstRow"), m.GP32())
	m.mul = m.GP64()
	m.MOVQ(address(m.words, 8*maskMul), m.mul)
	m.width, m.at, m.safe = m.GP64(), m.GP64(), m.GP64()
	m.row = m.AllocLocal(32)
	for i := range m.keys {
		m.spread(maskKeys+i, m.reg(0))
		m.keys[i] = m.hold(20 + i)
	}
	m.spread(maskLimit, m.reg(0))
	m.limit = m.hold(27)
	m.spread(maskKeep, m.reg(0))
	m.keep = m.hold(28)
	if m.isAVX512 {
		m.setOrder()
	}
	m.spread(maskMul, m.reg(mul0))
	m.spread(maskMul+1, m.reg(mul1))
	for i := range m.strip {
		m.strip[i] = zmm[16+i]
		if !m.isAVX512 {
			m.strip[i] = m.AllocLocal(32)
		}
	}

	// From the last strip to the first, so that what its rows write behind their end is
	// written over.
	first, next := m.GP64(), m.label("strip")
	m.LEAQ(address(m.cols, -1), first)
	m.SHRQ(Imm(3), first)
	m.ANDQ(I32(int32(-m.counters())), first)
	lanes := m.lanes()
	m.Label(next)
	m.setStrip(first, lanes)
	m.rows(first)
	m.SUBQ(Imm(uint64(m.counters())), first)
	m.JGE(LabelRef(next))
	m.writeReturn()
}

// lanes are the numbers of lanes.
func (m *maskWriter) lanes() Mem {
	name := "_lanes4"
	if m.isAVX512 {
		name = "_lanes8"
	}
	table := m.StaticGlobal(m.name + name)
	m.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range m.counters() {
		m.AddDatum(8*i, U64(uint64(i)))
	}
	return table
}

// setOrder prepares the order in which a register of words 1 and 0 and one of words 3 and
// 2 are put together.
func (m *maskWriter) setOrder() {
	for half, name := range []string{"_first", "_second"} {
		table := m.StaticGlobal(m.name + name)
		m.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range 16 {
			lane := 4*half + i/4
			m.AddDatum(4*i, U32(uint32([]int{1, 0, 17, 16}[i%4]+2*lane)))
		}
		m.order[half] = zmm[29+half]
		m.VMOVDQU64(table, zmm[29+half])
	}
}

// setStrip takes the products that are of the column, and finds the strip's place.
func (m *maskWriter) setStrip(first reg.GPVirtual, lanes Mem) {
	r := m.reg
	m.VPBROADCASTQ(m.inMemory(first), r(0))
	m.VPADDQ(lanes, r(0), r(0))
	m.VPMULUDQ(r(mul0), r(0), r(0)) // round 1
	m.VPSRLQ(Imm(32), r(0), r(1))
	m.spread(maskColumn, r(2))
	m.xor(r(2), r(1))
	m.VPMULUDQ(r(mul1), r(1), r(1)) // round 2
	m.VPSRLQ(Imm(32), r(1), r(2))
	m.spread(maskColumn+1, r(3))
	m.xor(r(3), r(2))
	m.VPMULUDQ(r(mul0), r(2), r(2)) // round 3
	m.VPSRLQ(Imm(32), r(2), r(3))
	for i, of := range []int{0, 1, 3, 2} {
		m.spread(maskStrip+i, r(4))
		m.xor(r(4), r(of))
		if m.isAVX512 {
			m.VMOVDQA64(r(of), m.strip[i])
		} else {
			m.VMOVDQU(r(of), m.strip[i])
		}
	}

	whole, dst := m.GP64(), m.Load(m.Param("dst"), m.GP64())
	m.MOVQ(first, m.width)
	m.SHLQ(Imm(3), m.width)
	m.LEAQ(indexedAddress(dst, m.width, 4, 0), m.at)
	m.NEGQ(m.width)
	m.ADDQ(m.cols, m.width)
	m.MOVQ(U32(uint32(8*m.counters())), whole)
	m.CMPQ(m.width, whole)
	m.CMOVQGT(whole, m.width)

	vector := m.bytes() / 4
	m.Load(m.Param("rows"), m.safe)
	m.IMULQ(m.cols, m.safe)
	m.LEAQ(address(m.width, vector-1), whole)
	m.ANDQ(I32(int32(-vector)), whole)
	m.SUBQ(whole, m.safe)
	m.LEAQ(indexedAddress(dst, m.safe, 4, 0), m.safe)
}

// inMemory writes a register to memory, from where it can be broadcast.
func (m *maskWriter) inMemory(r reg.Register) Mem {
	m.MOVQ(r, m.row)
	return m.row
}

// rows writes the rows of a strip, two at a time.
func (m *maskWriter) rows(first reg.GPVirtual) {
	left, row := m.Load(m.Param("rows"), m.GP64()), m.GP32()
	m.MOVL(m.firstRow, row)
	pair, last, done := m.label("pair"), m.label("last"), m.label("rows")
	m.Label(pair)
	m.SUBQ(Imm(2), left)
	m.JLT(LabelRef(last))
	m.side(2, row)
	m.JMP(LabelRef(pair))
	m.Label(last)
	m.CMPQ(left, I8(-1)) // one is left, not none
	m.JNE(LabelRef(done))
	m.side(1, row)
	m.Label(done)
}

// side writes n rows, side by side.
func (m *maskWriter) side(n int, row reg.Register) {
	product := m.GP64()
	for i := range n {
		m.MOVL(address(m.words, 8*maskRow), product.As32())
		m.XORL(row, product.As32())
		m.IMULQ(m.mul, product) // round 2
		m.MOVQ(product, m.row.Offset(16*i))
		m.SHRQ(Imm(32), product)
		m.MOVQ(product, m.row.Offset(16*i+8))
		m.INCL(row)
	}
	each := func(do func(r []reg.VecPhysical, row int)) {
		for i := range n {
			if m.isAVX512 {
				do(zmm[6*i:], i)
			} else {
				do(ymm[6*i:], i)
			}
		}
	}
	mul0, mul1 := m.reg(mul0), m.reg(mul1)
	each(func(r []reg.VecPhysical, row int) { // round 3
		m.VPBROADCASTQ(m.row.Offset(16*row+8), r[0])
		m.VPBROADCASTQ(m.row.Offset(16*row), r[2])
		m.xor(m.strip[0], r[0])
		m.xor(m.strip[2], r[2])
		m.VPMULUDQ(r[0], mul1, r[5])
	})
	each(func(r []reg.VecPhysical, _ int) {
		m.VPSRLQ(Imm(32), r[5], r[1])
		m.xor(m.strip[1], r[1])
	})
	// Word 0 is in register 1, word 2 in 2. Words 1 and 3 are the low halves of products
	// as they stand: they stay where they are, while the next go elsewhere.
	for round := 4; round <= philoxRounds; round++ {
		one, three, product0, product2 := 4, 3, 0, 5
		if round%2 == 0 {
			one, three, product0, product2 = 5, 0, 3, 4
		}
		each(func(r []reg.VecPhysical, _ int) {
			m.VPMULUDQ(r[1], mul0, r[product0])
			m.VPMULUDQ(r[2], mul1, r[product2])
		})
		each(func(r []reg.VecPhysical, _ int) {
			switch round {
			case 4:
				m.VPSRLQ(Imm(32), r[product2], r[1])
				m.xor3(r[one], m.keys[0], r[1])
				m.VPSRLQ(Imm(32), r[product0], r[2])
				m.xor(m.strip[3], r[2])
			case philoxRounds: // words 0 and 2 stay in the high half
				m.VPSLLQ(Imm(32), r[one], r[one])
				m.xor3(r[one], m.keys[5], r[product2])
				m.VPSLLQ(Imm(32), r[three], r[three])
				m.xor3(r[three], m.keys[6], r[product0])
			default:
				m.VPSRLQ(Imm(32), r[product2], r[1])
				m.xor3(r[one], m.keys[2*round-9], r[1])
				m.VPSRLQ(Imm(32), r[product0], r[2])
				m.xor3(r[three], m.keys[2*round-8], r[2])
			}
		})
	}
	each(func(r []reg.VecPhysical, _ int) {
		if m.isAVX512 {
			m.storeWide(r)
		} else {
			m.storeNarrow(r)
		}
		m.LEAQ(indexedAddress(m.at, m.cols, 4, 0), m.at)
	})
}

// storeWide writes a row's numbers: of registers 5, where words 1 and 0 are, and 0, where
// words 3 and 2 are.
func (m *maskWriter) storeWide(r []reg.VecPhysical) {
	const lessOrEqual = 2
	for i := range 2 {
		m.VMOVDQA64(m.order[i], r[1+i])
		m.VPERMI2D(r[0], r[5], r[1+i])
	}
	m.VPCMPUW(Imm(lessOrEqual), m.limit, r[1], reg.K3)
	m.VPCMPUW(Imm(lessOrEqual), m.limit, r[2], reg.K5)
	m.KSHIFTRD(Imm(16), reg.K3, reg.K4)
	m.KSHIFTRD(Imm(16), reg.K5, reg.K6)
	for i, k := range []reg.Register{reg.K3, reg.K4, reg.K5, reg.K6} {
		m.VMOVAPS_Z(m.keep, k, r[i])
	}
	m.store(func(i int) reg.Register { return r[i] })
}

// storeNarrow is storeWide for 32 numbers.
func (m *maskWriter) storeNarrow(r []reg.VecPhysical) {
	m.VPUNPCKLQDQ(r[0], r[5], r[1]) // counters 0 and 2
	m.VPUNPCKHQDQ(r[0], r[5], r[2]) // 1 and 3
	m.VMOVDQU(m.limit, r[0])
	for i := range 2 {
		m.VPSHUFD(Imm(0b10_11_00_01), r[1+i], r[1+i])
		m.VEXTRACTI128(Imm(1), r[1+i], r[4+i].AsX())
	}
	m.store(func(i int) reg.Register {
		number := r[3]
		m.VPMOVZXWD([]reg.VecPhysical{r[1], r[2], r[4], r[5]}[i].AsX(), number)
		m.VPCMPGTD(number, r[0], number)
		m.VANDPS(m.keep, number, number)
		return number
	})
}

// store writes the four vectors of a row, or as many as the strip has columns for. The
// last one goes beyond them, but for the last rows, behind which there may be no room.
func (m *maskWriter) store(vector func(i int) reg.Register) {
	size := m.bytes() / 4
	stored, exact := m.label("stored"), m.label("exact")
	m.CMPQ(m.at, m.safe)
	m.JHI(LabelRef(exact))
	for i := range 4 {
		if i > 0 {
			m.CMPQ(m.width, Imm(uint64(size*i)))
			m.JLE(LabelRef(stored))
		}
		m.VMOVUPS(vector(i), address(m.at, m.bytes()*i))
	}
	m.JMP(LabelRef(stored))

	m.Label(exact)
	left, room := m.GP64(), m.GP64()
	m.MOVQ(m.width, left)
	if m.isAVX512 {
		m.MOVQ(U64(0xFFFFFFFFFFFFFFFF), room)
		m.BZHIQ(left, room, room)
		for i := range 4 {
			m.KMOVW(room.As32(), reg.K1)
			m.VMOVUPS(vector(i), reg.K1, address(m.at, 64*i))
			m.SHRQ(Imm(16), room)
		}
	} else {
		m.MOVQ(U32(8), room)
		for i := range 4 {
			v, n := vector(i), m.GP64()
			m.MOVQ(left, n)
			m.CMPQ(n, room)
			m.CMOVQGT(room, n)
			m.setLaneMask(ymm[14], n)
			m.VMASKMOVPS(v, ymm[14], address(m.at, 32*i))
			m.SUBQ(Imm(8), left)
			m.JLE(LabelRef(stored))
		}
	}
	m.Label(stored)
}
