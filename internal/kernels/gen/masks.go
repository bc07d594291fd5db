package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// masks writes the kernel of dropout masks. Counters of Philox are in vector registers as described at
// the type philox. The counters of a register are neighbours in a row of the masks. The kernel works
// in strips of columns, 64 wide with AVX-512 and 32 with AVX2, from the first row to the last.
//
// One word of a counter is the column, one is the row, and two are the same for all counters. In the
// first rounds, most products therefore depend only on the column or only on the row. They are
// computed once per strip or once per row, which leaves 9 of the 14 products of seven rounds.
// kernels.maskConstants explains them.
//
// A round is a chain of slow instructions; two rows, whose instructions alternate, keep the CPU busy.
func masks(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.function("masks"+suffix, "dst *float32, rows, cols int, firstRow uint32, words *uint64", masksDoc)
		(&maskWriter{avx: m}).write()
	})
}

// masksDoc is the doc comment of the kernels of dropout masks.
const masksDoc = "writes dropout masks with the words of maskConstants."

// Indices of the constants of kernels.maskConstants.
const (
	maskRow       = 0  // for the row's product in round 2
	maskColumn    = 1  // 2 constants, for the column's products in rounds 1 and 2
	maskStrip     = 3  // 4 constants, for the column's parts of rounds 3, 3, 3 and 4
	maskKeys      = 7  // 7 keys: the first of round 4, then two each of rounds 5, 6 and 7
	maskMul       = 14 // 2 multipliers
	maskThreshold = 16
	maskScale     = 17
)

// maskWriter writes the kernel of dropout masks. The first row that it computes has vector registers
// 0 to 5, the second 6 to 11. The multipliers are in registers mul0 and mul1, as in philox.
type maskWriter struct {
	avx
	strip     [4]Op // the column's parts of rounds 3, 3, 3 and 4
	keys      [7]Op // keys of rounds 4 to 7
	threshold Op    // in the form in which random bits are compared with it
	scale     Op
	order     [2]Op // AVX-512: permutations that put the words of counters in order
	row       Mem   // both halves of the row's product in round 2, for two rows

	words    reg.Register // address of the constants
	cols     reg.Register
	firstRow reg.Register
	mul      reg.Register // first multiplier, in a general register
	width    reg.Register // columns of the strip
	next     reg.Register // address of the strip's next row in dst
	safe     reg.Register // last address in dst with room for the whole vectors of a row
}

// reg returns vector register i.
func (m *maskWriter) reg(i int) reg.VecPhysical {
	if m.isAVX512 {
		return zmm[i]
	}
	return ymm[i]
}

// counters returns the number of counters in a register. Each makes eight elements of a mask.
func (m *maskWriter) counters() int { return m.bytes() / 8 }

// saveOperand copies register 0 to where it stays as an operand: another register with AVX-512, or
// else memory.
func (m *maskWriter) saveOperand(register int) Op {
	if m.isAVX512 {
		m.VMOVDQA64(zmm[0], zmm[register])
		return zmm[register]
	}
	memory := m.AllocLocal(32)
	m.VMOVDQU(ymm[0], memory)
	return memory
}

// broadcastConstant copies a constant to all lanes of a register.
func (m *maskWriter) broadcastConstant(word int, to reg.Register) {
	m.VPBROADCASTQ(address(m.words, 8*word), to)
}

// xor sets dst to dst ^ a.
func (m *maskWriter) xor(a Op, dst reg.Register) {
	if m.isAVX512 {
		m.VPXORQ(a, dst, dst)
	} else {
		m.VPXOR(a, dst, dst)
	}
}

// xor3Table is the truth table of x ^ y ^ z for VPTERNLOGD: bit 4x + 2y + z is the result.
const xor3Table = 0x96

// xor3 sets dst to dst ^ a ^ b.
func (m *maskWriter) xor3(a, b Op, dst reg.Register) {
	if m.isAVX512 {
		m.VPTERNLOGD(Imm(xor3Table), a, b, dst)
	} else {
		m.VPXOR(a, dst, dst)
		m.VPXOR(b, dst, dst)
	}
}

// Registers of AVX-512 for operands that stay the same: see saveOperand. With AVX2 they are in memory.
const (
	firstStripRegister = 16 // 4 registers
	firstKeyRegister   = 20 // 7 registers
	thresholdRegister  = 27
	scaleRegister      = 28
	firstOrderRegister = 29 // 2 registers
)

// write writes the whole function: it loads the constants, and loops over the strips. The last strip comes
// first: its rows may write beyond their end, where the next rows begin.
func (m *maskWriter) write() {
	m.loadConstants()
	first, next := m.GP64(), m.label("strip")
	m.LEAQ(address(m.cols, -1), first)       // the last column
	m.SHRQ(Imm(3), first)                    // its counter, of eight columns each
	m.ANDQ(I32(int32(-m.counters())), first) // the first counter of its strip
	lanes := m.lanes()
	m.Label(next)
	m.setStrip(first, lanes)
	m.writeStrip(first)
	m.SUBQ(Imm(uint64(m.counters())), first)
	m.JGE(LabelRef(next))
	m.writeReturn()
}

// loadConstants loads the arguments and the constants that are the same for all strips, and chooses
// registers or memory for them.
func (m *maskWriter) loadConstants() {
	m.words = m.Load(m.Param("words"), m.GP64())
	m.cols = m.Load(m.Param("cols"), m.GP64())
	m.firstRow = m.Load(m.Param("firstRow"), m.GP32())
	m.mul = m.GP64()
	m.MOVQ(address(m.words, 8*maskMul), m.mul)
	m.width = m.GP64()
	m.next = m.GP64()
	m.safe = m.GP64()
	m.row = m.AllocLocal(32)
	for i := range m.keys {
		m.broadcastConstant(maskKeys+i, m.reg(0))
		m.keys[i] = m.saveOperand(firstKeyRegister + i)
	}
	m.broadcastConstant(maskThreshold, m.reg(0))
	m.threshold = m.saveOperand(thresholdRegister)
	m.broadcastConstant(maskScale, m.reg(0))
	m.scale = m.saveOperand(scaleRegister)
	if m.isAVX512 {
		m.setOrder()
	}
	m.broadcastConstant(maskMul, m.reg(mul0))
	m.broadcastConstant(maskMul+1, m.reg(mul1))
	for i := range m.strip {
		m.strip[i] = zmm[firstStripRegister+i]
		if !m.isAVX512 {
			m.strip[i] = m.AllocLocal(32)
		}
	}
}

// lanes returns the address of the indices of the lanes.
func (m *maskWriter) lanes() Mem {
	name := "lanes4"
	if m.isAVX512 {
		name = "lanes8"
	}
	var indices []Constant
	for i := range m.counters() {
		indices = append(indices, U64(uint64(i)))
	}
	return m.table(name, indices...)
}

// setOrder loads the permutations that put the words of counters in order, from a register with words
// 1 and 0 of each counter and a register with words 3 and 2.
func (m *maskWriter) setOrder() {
	for half, name := range []string{"first", "second"} {
		var places []Constant
		for i := range 16 {
			counter := 4*half + i/4
			// Words 0 to 3 of a counter: from 16 on, a place means the second register.
			place := []int{1, 0, 17, 16}[i%4] + 2*counter
			places = append(places, U32(uint32(place)))
		}
		table := m.table(name, places...)
		m.order[half] = zmm[firstOrderRegister+half]
		m.VMOVDQU64(table, zmm[firstOrderRegister+half])
	}
}

// setStrip computes the products that depend on the column alone, and the place of the strip in dst.
// first is the index of the strip's first counter; lanes holds 0, 1, …, which are added to it. The low
// half of each product is one word, and the high half, shifted down, another: see
// kernels.maskConstants.
func (m *maskWriter) setStrip(first reg.GPVirtual, lanes Mem) {
	r := m.reg
	m.VPBROADCASTQ(m.inMemory(first), r(0))
	m.VPADDQ(lanes, r(0), r(0))
	m.VPMULUDQ(r(mul0), r(0), r(0)) // round 1
	m.VPSRLQ(Imm(32), r(0), r(1))
	m.broadcastConstant(maskColumn, r(2))
	m.xor(r(2), r(1))
	m.VPMULUDQ(r(mul1), r(1), r(1)) // round 2
	m.VPSRLQ(Imm(32), r(1), r(2))
	m.broadcastConstant(maskColumn+1, r(3))
	m.xor(r(3), r(2))
	m.VPMULUDQ(r(mul0), r(2), r(2)) // round 3
	m.VPSRLQ(Imm(32), r(2), r(3))
	for i, source := range []int{0, 1, 3, 2} { // register of each of the column's parts
		m.broadcastConstant(maskStrip+i, r(4))
		m.xor(r(4), r(source))
		if m.isAVX512 {
			m.VMOVDQA64(r(source), m.strip[i])
		} else {
			m.VMOVDQU(r(source), m.strip[i])
		}
	}

	m.setPlace(first)
}

// setPlace sets the width of the strip (its columns, at most what the counters of a register make), the
// address of its first row, and the last safe address: that of a row's whole vectors at the end of dst.
func (m *maskWriter) setPlace(first reg.GPVirtual) {
	whole := m.GP64()
	dst := m.Load(m.Param("dst"), m.GP64())
	m.MOVQ(first, m.width)
	m.SHLQ(Imm(3), m.width)
	m.LEAQ(indexedAddress(dst, m.width, 4, 0), m.next)
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

// inMemory copies a general register to memory, from where it can be broadcast.
func (m *maskWriter) inMemory(r reg.Register) Mem {
	m.MOVQ(r, m.row)
	return m.row
}

// writeStrip writes the loop over the rows of a strip, two at a time.
func (m *maskWriter) writeStrip(first reg.GPVirtual) {
	left := m.Load(m.Param("rows"), m.GP64())
	row := m.GP32()
	m.MOVL(m.firstRow, row)
	pair := m.label("pair")
	last := m.label("last")
	done := m.label("rows")
	m.Label(pair)
	m.SUBQ(Imm(2), left)
	m.JLT(LabelRef(last))
	m.writeRows(2, row)
	m.JMP(LabelRef(pair))
	m.Label(last)
	m.CMPQ(left, I8(-1)) // −1 if one row is left, −2 if none
	m.JNE(LabelRef(done))
	m.writeRows(1, row)
	m.Label(done)
}

// writeRows writes one or two rows of a strip.
func (m *maskWriter) writeRows(n int, row reg.Register) {
	m.writeRowProducts(n, row)
	m.writeRound3(n)
	for round := 4; round <= philoxRounds; round++ {
		m.writeRound(n, round)
	}
	m.forEachRow(n, func(r []reg.VecPhysical, _ int) {
		if m.isAVX512 {
			m.storeWide(r)
		} else {
			m.storeNarrow(r)
		}
		m.LEAQ(indexedAddress(m.next, m.cols, 4, 0), m.next)
	})
}

// writeRowProducts computes the products of n rows in round 2, which depend on the row alone. Both halves
// of each go to memory, from where they are broadcast. It advances row by n.
func (m *maskWriter) writeRowProducts(n int, row reg.Register) {
	product := m.GP64()
	for i := range n {
		m.MOVL(address(m.words, 8*maskRow), product.As32())
		m.XORL(row, product.As32())
		m.IMULQ(m.mul, product)
		m.MOVQ(product, m.row.Offset(16*i))
		m.SHRQ(Imm(32), product)
		m.MOVQ(product, m.row.Offset(16*i+8))
		m.INCL(row)
	}
}

// forEachRow calls write for each of n rows with the row's vector registers.
func (m *maskWriter) forEachRow(n int, write func(r []reg.VecPhysical, row int)) {
	for i := range n {
		if m.isAVX512 {
			write(zmm[6*i:], i)
		} else {
			write(ymm[6*i:], i)
		}
	}
}

// writeRound3 writes the end of round 2 and round 3, of which only one product depends on both row
// and column. Afterwards, word 0 of each counter is in the row's register 1 and word 2 in register 2;
// words 1 and 3 are in the registers of the products whose low halves they are.
func (m *maskWriter) writeRound3(n int) {
	mul1 := m.reg(mul1)
	m.forEachRow(n, func(r []reg.VecPhysical, row int) {
		m.VPBROADCASTQ(m.row.Offset(16*row+8), r[0])
		m.VPBROADCASTQ(m.row.Offset(16*row), r[2])
		m.xor(m.strip[0], r[0])
		m.xor(m.strip[2], r[2])
		m.VPMULUDQ(r[0], mul1, r[5])
	})
	m.forEachRow(n, func(r []reg.VecPhysical, _ int) {
		m.VPSRLQ(Imm(32), r[5], r[1])
		m.xor(m.strip[1], r[1])
	})
}

// writeRound writes one of rounds 4 to 7. The low halves of products become words 1 and 3 without
// being moved, so that the products of even and odd rounds have different registers.
func (m *maskWriter) writeRound(n, round int) {
	word1, word3, product0, product2 := 4, 3, 0, 5
	if round%2 == 0 {
		word1 = 5
		word3 = 0
		product0 = 3
		product2 = 4
	}
	mul0, mul1 := m.reg(mul0), m.reg(mul1)
	m.forEachRow(n, func(r []reg.VecPhysical, _ int) {
		m.VPMULUDQ(r[1], mul0, r[product0])
		m.VPMULUDQ(r[2], mul1, r[product2])
	})
	m.forEachRow(n, func(r []reg.VecPhysical, _ int) {
		switch round {
		case 4: // word 3 and its key depend on the column alone
			m.VPSRLQ(Imm(32), r[product2], r[1])
			m.xor3(r[word1], m.keys[0], r[1])
			m.VPSRLQ(Imm(32), r[product0], r[2])
			m.xor(m.strip[3], r[2])
		case philoxRounds: // words 0 and 2 stay in the high half, where the last two keys are, too
			m.VPSLLQ(Imm(32), r[word1], r[word1])
			m.xor3(r[word1], m.keys[5], r[product2])
			m.VPSLLQ(Imm(32), r[word3], r[word3])
			m.xor3(r[word3], m.keys[6], r[product0])
		default:
			m.VPSRLQ(Imm(32), r[product2], r[1])
			first := 2*round - 9 // index of the round's first key: 1 for round 5, 3 for round 6
			m.xor3(r[word1], m.keys[first], r[1])
			m.VPSRLQ(Imm(32), r[product0], r[2])
			m.xor3(r[word3], m.keys[first+1], r[2])
		}
	})
}

// storeWide stores a row of a strip with AVX-512: 64 elements, of 8 counters with four words each, of
// which each half decides about one element. Register 5 has words 1 and 0 of each counter, register 0
// words 3 and 2.
func (m *maskWriter) storeWide(r []reg.VecPhysical) {
	for i := range 2 { // registers 1 and 2 get the words of four counters each, in order
		m.VMOVDQA64(m.order[i], r[1+i])
		m.VPERMI2D(r[0], r[5], r[1+i])
	}
	// Compare the 32 halves of words in each register, as unsigned numbers of 16 bits, with the
	// threshold. A mask has one bit for each: the low 16 bits for one vector of float32, the high 16
	// bits, shifted down, for the next.
	const lessOrEqual = 2 // predicate of VPCMPUW
	m.VPCMPUW(Imm(lessOrEqual), m.threshold, r[1], reg.K3)
	m.VPCMPUW(Imm(lessOrEqual), m.threshold, r[2], reg.K5)
	m.KSHIFTRD(Imm(16), reg.K3, reg.K4)
	m.KSHIFTRD(Imm(16), reg.K5, reg.K6)
	for i, kept := range []reg.Register{reg.K3, reg.K4, reg.K5, reg.K6} {
		m.VMOVAPS_Z(m.scale, kept, r[i]) // the scale where the bit is set, or else 0
	}
	m.store(func(i int) reg.Register { return r[i] })
}

// storeNarrow stores a row of a strip with AVX2, from the same registers as storeWide: 32 elements, of 4
// counters. It widens the halves of words to 32 bits, compares them with the threshold, and turns the
// ones of a true comparison into the scale by an "and".
func (m *maskWriter) storeNarrow(r []reg.VecPhysical) {
	m.VPUNPCKLQDQ(r[0], r[5], r[1]) // counters 0 and 2
	m.VPUNPCKHQDQ(r[0], r[5], r[2]) // 1 and 3
	m.VMOVDQU(m.threshold, r[0])
	for i := range 2 {
		m.VPSHUFD(Imm(0b10_11_00_01), r[1+i], r[1+i]) // exchanges words 0 and 1, and 2 and 3
		m.VEXTRACTI128(Imm(1), r[1+i], r[4+i].AsX())
	}
	m.store(func(i int) reg.Register {
		number := r[3]
		m.VPMOVZXWD([]reg.VecPhysical{r[1], r[2], r[4], r[5]}[i].AsX(), number)
		m.VPCMPGTD(number, r[0], number)
		m.VANDPS(m.scale, number, number)
		return number
	})
}

// store stores the four vectors of a row, or as many as the strip has columns for. vector writes the
// code that computes vector i, and returns its register. The last vector is stored whole, although the
// strip may have fewer columns: the next row overwrites the excess. In the last rows, after which dst may
// end, storeExact stores only the columns of the strip.
func (m *maskWriter) store(vector func(i int) reg.Register) {
	size := m.bytes() / 4
	stored := m.label("stored")
	exact := m.label("exact")
	m.CMPQ(m.next, m.safe)
	m.JHI(LabelRef(exact))
	for i := range 4 {
		if i > 0 {
			m.CMPQ(m.width, Imm(uint64(size*i)))
			m.JLE(LabelRef(stored))
		}
		m.VMOVUPS(vector(i), address(m.next, m.bytes()*i))
	}
	m.JMP(LabelRef(stored))

	m.Label(exact)
	m.storeExact(vector, stored)
	m.Label(stored)
}

// storeExact stores the columns of a row of a strip, and may jump to the label stored.
func (m *maskWriter) storeExact(vector func(i int) reg.Register, stored string) {
	left, room := m.GP64(), m.GP64()
	m.MOVQ(m.width, left)
	if m.isAVX512 {
		columns := room // one bit for each column of the strip from the next vector on
		m.MOVQ(U64(0xFFFFFFFFFFFFFFFF), columns)
		m.BZHIQ(left, columns, columns)
		for i := range 4 {
			m.KMOVW(columns.As32(), reg.K1)
			m.VMOVUPS(vector(i), reg.K1, address(m.next, 64*i))
			m.SHRQ(Imm(16), columns)
		}
		return
	}
	m.MOVQ(U32(8), room) // lanes of a vector
	for i := range 4 {
		v, n := vector(i), m.GP64()
		m.MOVQ(left, n)
		m.CMPQ(n, room)
		m.CMOVQGT(room, n)
		m.setLaneMask(ymm[14], n)
		m.VMASKMOVPS(v, ymm[14], address(m.next, 32*i))
		m.SUBQ(Imm(8), left)
		m.JLE(LabelRef(stored))
	}
}
