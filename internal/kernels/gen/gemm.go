package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of kernels.tile in bytes. TestTileLayout in package kernels checks them.
const (
	tA, tB, tC                   = 0, 8, 16
	tBias, tMask, tMasked, tGate = 24, 32, 40, 48
	tM, tN, tK                   = 56, 64, 72
	tARow, tACol, tLDB, tLDC     = 80, 88, 96, 104
	tLDMask, tLDMasked, tLDGate  = 112, 120, 128
	tAccumulate, tRelu           = 136, 144
)

// gemm writes the kernel of matrix products. It divides C into panels of columns, from left to
// right, and each panel into tiles of rows, from the top. The elements of a tile stay in registers
// while the terms of their sums are added, and while the epilogue is applied.
func gemm(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.function("gemm"+suffix, "t *tile", "computes the product that t describes.")
		(&product{avx: m}).write()
	})
}

// product writes the kernel of matrix products.
type product struct {
	avx

	t     reg.Register // address of the kernels.tile
	col   reg.Register // offset of the panel's first column in bytes
	left  reg.Register // columns of C from the panel's first column on
	row   reg.Register // index of the first row of the current tile
	panel panel        // shape of the current panel
}

// panel is the shape of a panel: the vectors of each row.
type panel struct {
	vectors    int
	half       bool // whether the last vector is a ymm register beside zmm registers
	masked     bool // whether only some lanes of the last vector exist
	minColumns int  // smallest number of remaining columns for which the shape is used
}

// panels returns the shapes of panels, widest first.
func (p *product) panels() []panel {
	if !p.isAVX512 { // vectors of 8 columns
		return []panel{
			{vectors: 2, minColumns: 16},
			{vectors: 2, masked: true, minColumns: 9},
			{vectors: 1, masked: true, minColumns: 1},
		}
	}
	// From 64 columns, which are 8 halves of vectors, down to one half. A shape fits if its last half,
	// of 8 columns, has at least one.
	var shapes []panel
	for halves := 8; halves > 0; halves-- {
		shapes = append(shapes, panel{
			vectors:    (halves + 1) / 2,
			half:       halves%2 == 1,
			masked:     true,
			minColumns: 8*(halves-1) + 1,
		})
	}
	return shapes
}

// write writes the whole function: a loop over the panels, which chooses the widest shape that fits.
func (p *product) write() {
	p.t = p.Load(p.Param("t"), p.GP64())
	p.col = p.GP64()
	p.left = p.GP64()
	p.row = p.GP64()
	p.XORQ(p.col, p.col)
	p.MOVQ(address(p.t, tN), p.left)
	shapes := p.panels()
	next := p.label("panel")
	done := p.label("done")
	bodies := make([]string, len(shapes))
	p.Label(next)
	for i, shape := range shapes {
		bodies[i] = p.label("columns")
		p.CMPQ(p.left, Imm(uint64(shape.minColumns)))
		p.JGE(LabelRef(bodies[i]))
	}
	p.JMP(LabelRef(done))
	for i, shape := range shapes {
		p.panel = shape
		p.Label(bodies[i])
		p.Comment(fmt.Sprintf("Panel of %d vectors, the last of half width: %t, masked: %t", shape.vectors, shape.half, shape.masked))
		p.writePanel()
		p.ADDQ(U32(4*p.span()), p.col)
		p.SUBQ(U32(p.span()), p.left)
		p.JMP(LabelRef(next))
	}
	p.Label(done)
	p.VZEROUPPER()
	p.RET()
}

// span returns the number of columns of a panel: 4 bytes each, less 8 if the last vector is half.
func (p *product) span() int {
	n := p.panel.vectors * p.bytes() / 4
	if p.panel.half {
		n -= 8
	}
	return n
}

// setMask sets the mask of the last vector, K1 or Y15, from the number of remaining columns.
func (p *product) setMask() {
	if !p.panel.masked {
		return
	}
	n := p.GP64()
	p.MOVQ(p.left, n)
	if start := (p.panel.vectors - 1) * p.bytes() / 4; start > 0 {
		p.SUBQ(Imm(uint64(start)), n)
	}
	if p.isAVX512 {
		// BZHI clears the bits from n on, but uses only the low 8 bits of n.
		lanes, ones := p.GP64(), p.GP32()
		p.MOVQ(U32(16), lanes)
		p.CMPQ(n, lanes)
		p.CMOVQGT(lanes, n)
		p.MOVL(U32(0xFFFFFFFF), ones)
		p.BZHIL(n.As32(), ones, ones)
		p.KMOVW(ones, reg.K1)
		return
	}
	p.setLaneMask(reg.Y15, n)
}

// writePanel writes one panel: tiles of 6 rows while there are as many. The at most 5 rows after them
// are one tile of 4, 2 or 1 rows each, where there are as many.
func (p *product) writePanel() {
	p.setMask()
	p.XORQ(p.row, p.row)
	for _, rows := range []int{6, 4, 2, 1} {
		loop := p.label("rows")
		end := p.label("end")
		p.Label(loop)
		left := p.GP64()
		p.MOVQ(address(p.t, tM), left)
		p.SUBQ(p.row, left)
		p.CMPQ(left, Imm(uint64(rows)))
		p.JLT(LabelRef(end))
		p.writeTile(rows)
		p.ADDQ(Imm(uint64(rows)), p.row)
		if rows == 6 { // smaller tiles occur once
			p.JMP(LabelRef(loop))
		}
		p.Label(end)
	}
}

// accumulator returns the register of vector v of row i of C.
func (p *product) accumulator(i, v int) reg.VecPhysical { return p.reg(i*p.panel.vectors+v, v) }

// reg returns vector register n in the width of vector v.
func (p *product) reg(n, v int) reg.VecPhysical {
	if !p.isAVX512 || p.panel.half && v == p.panel.vectors-1 {
		return ymm[n]
	}
	return zmm[n]
}

// operand returns register n of the registers for operands, in the width of vector v. They are eight
// with AVX-512 (24 to 31) and three with AVX2 (12 to 14); all registers before them are accumulators.
func (p *product) operand(n, v int) reg.VecPhysical {
	if p.isAVX512 {
		return p.reg(24+n, v)
	}
	return p.reg(12+n, v)
}

// isMasked reports whether only some lanes of vector v exist.
func (p *product) isMasked(v int) bool { return p.panel.masked && v == p.panel.vectors-1 }

// load loads vector v of a row.
func (p *product) load(m Mem, v int, dst reg.Register) {
	switch {
	case !p.isMasked(v):
		p.VMOVUPS(m, dst)
	case p.isAVX512:
		p.VMOVUPS_Z(m, reg.K1, dst)
	default:
		p.VMASKMOVPS(m, reg.Y15, dst)
	}
}

// store stores vector v of a row.
func (p *product) store(src reg.Register, v int, m Mem) {
	switch {
	case !p.isMasked(v):
		p.VMOVUPS(src, m)
	case p.isAVX512:
		p.VMOVUPS(src, reg.K1, m)
	default:
		p.VMASKMOVPS(src, reg.Y15, m)
	}
}

// rowAddresses are the addresses of up to six rows of a matrix.
type rowAddresses struct {
	base             reg.Register // address of row 0
	one, three, five reg.Register // 1, 3 and 5 times the distance between rows in bytes
}

// newRowAddresses computes the multiples of the distance one that the given number of rows needs. The
// instructions themselves can multiply it by 1, 2 and 4.
func (p *product) newRowAddresses(base, one reg.Register, rows int) rowAddresses {
	s := rowAddresses{base: base, one: one}
	if rows > 3 {
		s.three = p.GP64()
		p.LEAQ(indexedAddress(one, one, 2, 0), s.three)
	}
	if rows > 5 {
		s.five = p.GP64()
		p.LEAQ(indexedAddress(one, one, 4, 0), s.five)
	}
	return s
}

// row returns the address disp bytes after the start of row i.
func (s rowAddresses) row(i, disp int) Mem {
	switch i {
	case 0:
		return address(s.base, disp)
	case 3:
		return indexedAddress(s.base, s.three, 1, disp)
	case 5:
		return indexedAddress(s.base, s.five, 1, disp)
	}
	return indexedAddress(s.base, s.one, uint8(i), disp)
}

// tileRows returns the addresses of the tile's rows in an M×N matrix. field and ld are the offsets of
// its address and row distance in kernels.tile.
func (p *product) tileRows(field, ld, rows int) rowAddresses {
	one, base := p.GP64(), p.GP64()
	p.MOVQ(address(p.t, ld), one)
	p.MOVQ(p.row, base)
	p.IMULQ(one, base)
	p.ADDQ(address(p.t, field), base)
	p.ADDQ(p.col, base)
	return p.newRowAddresses(base, one, rows)
}

// forEachVector calls write for vector v of each row i. disp is the offset of the vector in its row in
// bytes.
func (p *product) forEachVector(rows int, write func(i, v, disp int)) {
	for i := range rows {
		for v := range p.panel.vectors {
			write(i, v, p.bytes()*v)
		}
	}
}

// ifSet writes body so that it runs if a field of kernels.tile is not 0.
func (p *product) ifSet(field int, body func()) {
	skip := p.label("skip")
	p.CMPQ(address(p.t, field), Imm(0))
	p.JEQ(LabelRef(skip))
	body()
	p.Label(skip)
}

// writeTile writes one tile of the given number of rows.
func (p *product) writeTile(rows int) {
	p.writeInitialSums(rows)
	p.writeSums(rows)
	p.writeEpilogue(rows)
	p.writeResult(rows)
}

// writeInitialSums sets the accumulators to 0 or C.
func (p *product) writeInitialSums(rows int) {
	p.forEachVector(rows, func(i, v, _ int) {
		sums := p.accumulator(i, v)
		if p.isAVX512 {
			p.VPXORD(sums, sums, sums) // AVX-512 has VXORPS only in its extension DQ
		} else {
			p.VXORPS(sums, sums, sums)
		}
	})
	p.ifSet(tAccumulate, func() {
		c := p.tileRows(tC, tLDC, rows)
		p.forEachVector(rows, func(i, v, disp int) { p.load(c.row(i, disp), v, p.accumulator(i, v)) })
	})
}

// writeSums writes the loop over the terms of the sums: see addTerm.
func (p *product) writeSums(rows int) {
	k := p.GP64()
	loop := p.label("k")
	end := p.label("kend")
	aBase := p.GP64()
	aRow := p.GP64()
	aCol := p.GP64()
	b := p.GP64()
	ldb := p.GP64()
	p.MOVQ(address(p.t, tK), k)
	p.MOVQ(address(p.t, tARow), aRow)
	p.MOVQ(p.row, aBase)
	p.IMULQ(aRow, aBase)
	p.ADDQ(address(p.t, tA), aBase)
	p.MOVQ(address(p.t, tACol), aCol)
	p.MOVQ(address(p.t, tB), b)
	p.ADDQ(p.col, b)
	p.MOVQ(address(p.t, tLDB), ldb)
	a := p.newRowAddresses(aBase, aRow, rows)
	p.TESTQ(k, k)
	p.JEQ(LabelRef(end))
	p.Label(loop)
	p.addTerm(a, b, rows)
	p.ADDQ(aCol, aBase)
	p.ADDQ(ldb, b)
	p.DECQ(k)
	p.JNE(LabelRef(loop))
	p.Label(end)
}

// addTerm adds a term to the accumulators of a tile: it loads the vectors of a row of B and, for each row of the tile,
// copies an element of A to all lanes and adds its products with the vectors. a has the addresses of the elements, b the
// address of the row of B.
func (p *product) addTerm(a rowAddresses, b reg.Register, rows int) {
	vectors := p.panel.vectors
	for v := range vectors {
		p.load(address(b, p.bytes()*v), v, p.operand(v, v))
	}
	for i := range rows {
		element := vectors // the operand register after the row of B has the element of A
		if p.isAVX512 {    // of the 8 operand registers, the others take turns
			element += i % (8 - vectors)
		}
		p.VBROADCASTSS(a.row(i, 0), p.operand(element, 0))
		for v := range vectors {
			p.VFMADD231PS(p.operand(element, v), p.operand(v, v), p.accumulator(i, v))
		}
	}
}

// writeEpilogue writes the elementwise operations after the sums. They are described at kernels.Gemm.
func (p *product) writeEpilogue(rows int) {
	p.writeBias(rows)
	p.writeRelu(rows)
	p.ifSet(tMasked, func() { p.writeStore(tC, tLDC, rows) }) // C keeps the elements before the mask
	p.writeMask(rows)
	p.writeGate(rows)
}

// writeBias adds the bias to each row.
func (p *product) writeBias(rows int) {
	p.ifSet(tBias, func() {
		bias := p.GP64()
		p.MOVQ(address(p.t, tBias), bias)
		p.ADDQ(p.col, bias)
		for v := range p.panel.vectors {
			p.load(address(bias, p.bytes()*v), v, p.operand(v, v))
		}
		p.forEachVector(rows, func(i, v, _ int) { p.VADDPS(p.operand(v, v), p.accumulator(i, v), p.accumulator(i, v)) })
	})
}

// writeRelu sets negative elements to 0.
func (p *product) writeRelu(rows int) {
	p.ifSet(tRelu, func() {
		zero := p.operand(0, 0)
		if p.isAVX512 {
			p.VPXORD(zero, zero, zero)
		} else {
			p.VXORPS(zero, zero, zero)
		}
		// VMAXPS returns its second operand if either is NaN or both are zeros: NaN and −0 stay.
		p.forEachVector(rows, func(i, v, _ int) { p.VMAXPS(p.accumulator(i, v), p.operand(0, v), p.accumulator(i, v)) })
	})
}

// writeMask multiplies by the mask.
func (p *product) writeMask(rows int) {
	p.ifSet(tMask, func() {
		mask := p.tileRows(tMask, tLDMask, rows)
		p.forEachVector(rows, func(i, v, disp int) {
			x := p.operand((i*p.panel.vectors+v)%3, v) // in turns, so that loads need not wait
			p.load(mask.row(i, disp), v, x)
			p.VMULPS(x, p.accumulator(i, v), p.accumulator(i, v))
		})
	})
}

// writeStore stores the accumulators in an M×N matrix: see tileRows.
func (p *product) writeStore(field, ld, rows int) {
	c := p.tileRows(field, ld, rows)
	p.forEachVector(rows, func(i, v, disp int) { p.store(p.accumulator(i, v), v, c.row(i, disp)) })
}

// writeGate sets elements to 0 where the gate is not positive: with AVX-512 by a mask register, with AVX2
// by an "and" with ones or zeros.
func (p *product) writeGate(rows int) {
	p.ifSet(tGate, func() {
		gate := p.tileRows(tGate, tLDGate, rows)
		p.forEachVector(rows, func(i, v, disp int) {
			isFirst := i == 0 && v == 0
			x := p.operand(1+(i*p.panel.vectors+v)%2, v) // in turns, so that loads need not wait
			zero := p.operand(0, v)
			p.load(gate.row(i, disp), v, x)
			if isFirst {
				p.clearOperand0()
			}
			p.openWherePositive(x, zero, p.accumulator(i, v))
		})
	})
}

// clearOperand0 sets operand register 0 to zeros in its full width.
func (p *product) clearOperand0() {
	if p.isAVX512 {
		p.VPXORD(zmm[24], zmm[24], zmm[24])
	} else {
		p.VXORPS(ymm[12], ymm[12], ymm[12])
	}
}

// openWherePositive sets the lanes of elements to 0 where gate is not above zero. It overwrites gate
// or K2.
func (p *product) openWherePositive(gate, zero, elements reg.Register) {
	const less = 1 // predicate of VCMPPS: zero < gate, false for NaN
	if p.isAVX512 {
		p.VCMPPS(Imm(less), gate, zero, reg.K2)
		p.VMOVAPS_Z(elements, reg.K2, elements)
		return
	}
	p.VCMPPS(Imm(less), gate, zero, gate)
	p.VANDPS(gate, elements, elements)
}

// writeResult stores the elements after the epilogue, in Masked if it is set, or else in C.
func (p *product) writeResult(rows int) {
	masked := p.label("masked")
	done := p.label("stored")
	p.CMPQ(address(p.t, tMasked), Imm(0))
	p.JNE(LabelRef(masked))
	p.writeStore(tC, tLDC, rows)
	p.JMP(LabelRef(done))
	p.Label(masked)
	p.writeStore(tMasked, tLDMasked, rows)
	p.Label(done)
}
