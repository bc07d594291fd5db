package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of kernels.tile; TestTileLayout checks them.
const (
	tA, tB, tC                   = 0, 8, 16
	tBias, tMask, tMasked, tGate = 24, 32, 40, 48
	tM, tN, tK                   = 56, 64, 72
	tARow, tACol, tLDB, tLDC     = 80, 88, 96, 104
	tLDMask, tLDMasked, tLDGate  = 112, 120, 128
	tAccumulate, tRelu           = 136, 144
)

// gemm writes the product: panels of columns from left to right, in each
// tiles of rows from the top, in each tile the chain over p with all of C's
// numbers in registers, then the tail.
func gemm(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.function("gemm"+suffix, "t *tile", "computes the product that t describes.")
		(&product{vectorMath: m}).write()
	})
}

// product is one of the two functions.
type product struct {
	vectorMath

	t     reg.Register // address of the tile struct
	col   reg.Register // byte offset of the panel's first column
	left  reg.Register // columns from the panel's first to the last
	row   reg.Register // first row of the tile
	panel panel
}

// panel is a number of columns that one tile spans: zmm (or, for AVX2, ymm)
// vectors of which the last is masked or not, and may be of half width.
type panel struct {
	vectors int
	half    bool // the last is a ymm beside zmm
	masked  bool
}

// panels lists the shapes with the least number of columns that asks for
// each, widest first.
func (p *product) panels() (list []panel, least []int) {
	if !p.isAVX512 {
		return []panel{{2, false, false}, {2, false, true}, {1, false, true}}, []int{16, 9, 1}
	}
	for units := 8; units > 0; units-- {
		list = append(list, panel{(units + 1) / 2, units%2 == 1, true})
		least = append(least, 8*units-7)
	}
	return list, least
}

func (p *product) write() {
	p.t = p.Load(p.Param("t"), p.GP64())
	p.col, p.left, p.row = p.GP64(), p.GP64(), p.GP64()
	p.XORQ(p.col, p.col)
	p.MOVQ(address(p.t, tN), p.left)
	list, least := p.panels()
	next, done := p.label("panel"), p.label("done")
	bodies := make([]string, len(list))
	p.Label(next)
	for i := range list {
		bodies[i] = p.label("columns")
		p.CMPQ(p.left, Imm(uint64(least[i])))
		p.JGE(LabelRef(bodies[i]))
	}
	p.JMP(LabelRef(done))
	for i, shape := range list {
		p.panel = shape
		p.Label(bodies[i])
		p.Comment(fmt.Sprintf("Panel of %d vectors, the last of half width: %t, masked: %t", shape.vectors, shape.half, shape.masked))
		p.columns()
		p.ADDQ(U32(4*p.span()), p.col)
		p.SUBQ(U32(p.span()), p.left)
		p.JMP(LabelRef(next))
	}
	p.Label(done)
	p.VZEROUPPER()
	p.RET()
}

// span is the number of columns that a panel covers.
func (p *product) span() int {
	n := p.panel.vectors * p.bytes() / 4
	if p.panel.half {
		n -= 8
	}
	return n
}

// setMask sets the last vector's mask, K1 or Y15, from the columns left.
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
		// BZHI keeps the low n bits, but looks at n modulo 256 only.
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

// columns writes one panel: tiles of 6 rows, then 4, 2, 1.
func (p *product) columns() {
	p.setMask()
	p.XORQ(p.row, p.row)
	for _, rows := range []int{6, 4, 2, 1} {
		loop, end := p.label("rows"), p.label("end")
		p.Label(loop)
		left := p.GP64()
		p.MOVQ(address(p.t, tM), left)
		p.SUBQ(p.row, left)
		p.CMPQ(left, Imm(uint64(rows)))
		p.JLT(LabelRef(end))
		p.tile(rows)
		p.ADDQ(Imm(uint64(rows)), p.row)
		if rows == 6 {
			p.JMP(LabelRef(loop))
		}
		p.Label(end)
	}
}

// acc is the accumulator of row i, vector v.
func (p *product) acc(i, v int) reg.VecPhysical { return p.reg(i*p.panel.vectors+v, v) }

// reg is vector register number n in the width of vector v.
func (p *product) reg(n, v int) reg.VecPhysical {
	if !p.isAVX512 || p.panel.half && v == p.panel.vectors-1 {
		return ymm[n]
	}
	return zmm[n]
}

// operand is the n-th register beside the accumulators, in the width of
// vector v. AVX-512 has eight (24 to 31), AVX2 three (12 to 14).
func (p *product) operand(n, v int) reg.VecPhysical {
	if p.isAVX512 {
		return p.reg(24+n, v)
	}
	return p.reg(12+n, v)
}

func (p *product) isMasked(v int) bool { return p.panel.masked && v == p.panel.vectors-1 }

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

// rowAddresses gives the addresses base + i·stride for i < 6.
type rowAddresses struct{ base, one, three, five reg.Register }

func (p *product) stride(base, one reg.Register, rows int) rowAddresses {
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

// matrix gives the addresses of the tile's rows in an M×N matrix.
func (p *product) matrix(field, ld, rows int) rowAddresses {
	one, base := p.GP64(), p.GP64()
	p.MOVQ(address(p.t, ld), one)
	p.MOVQ(p.row, base)
	p.IMULQ(one, base)
	p.ADDQ(address(p.t, field), base)
	p.ADDQ(p.col, base)
	return p.stride(base, one, rows)
}

// each calls f for every accumulator, with its address offset.
func (p *product) each(rows int, f func(i, v, disp int)) {
	for i := range rows {
		for v := range p.panel.vectors {
			f(i, v, p.bytes()*v)
		}
	}
}

// when writes body to run if the field of t is not zero.
func (p *product) when(field int, body func()) {
	skip := p.label("skip")
	p.CMPQ(address(p.t, field), Imm(0))
	p.JEQ(LabelRef(skip))
	body()
	p.Label(skip)
}

// tile writes one tile of the given rows.
func (p *product) tile(rows int) {
	nv := p.panel.vectors
	p.each(rows, func(i, v, _ int) {
		if r := p.acc(i, v); p.isAVX512 {
			p.VPXORD(r, r, r)
		} else {
			p.VXORPS(r, r, r)
		}
	})
	p.when(tAccumulate, func() {
		c := p.matrix(tC, tLDC, rows)
		p.each(rows, func(i, v, disp int) { p.load(c.row(i, disp), v, p.acc(i, v)) })
	})

	// The chain over p.
	k, loop, end := p.GP64(), p.label("k"), p.label("kend")
	aBase, aRow, aCol, b, ldb := p.GP64(), p.GP64(), p.GP64(), p.GP64(), p.GP64()
	p.MOVQ(address(p.t, tK), k)
	p.MOVQ(address(p.t, tARow), aRow)
	p.MOVQ(p.row, aBase)
	p.IMULQ(aRow, aBase)
	p.ADDQ(address(p.t, tA), aBase)
	p.MOVQ(address(p.t, tACol), aCol)
	p.MOVQ(address(p.t, tB), b)
	p.ADDQ(p.col, b)
	p.MOVQ(address(p.t, tLDB), ldb)
	a := p.stride(aBase, aRow, rows)
	p.TESTQ(k, k)
	p.JEQ(LabelRef(end))
	p.Label(loop)
	for v := range nv {
		p.load(address(b, p.bytes()*v), v, p.operand(v, v))
	}
	for i := range rows {
		n := nv // the register of A's number
		if p.isAVX512 {
			n += i % (8 - nv)
		}
		p.VBROADCASTSS(a.row(i, 0), p.operand(n, 0))
		for v := range nv {
			p.VFMADD231PS(p.operand(n, v), p.operand(v, v), p.acc(i, v))
		}
	}
	p.ADDQ(aCol, aBase)
	p.ADDQ(ldb, b)
	p.DECQ(k)
	p.JNE(LabelRef(loop))
	p.Label(end)
	p.tail(rows)
}

// tail writes what follows the sums, and the store.
func (p *product) tail(rows int) {
	nv := p.panel.vectors
	p.when(tBias, func() {
		bias := p.GP64()
		p.MOVQ(address(p.t, tBias), bias)
		p.ADDQ(p.col, bias)
		for v := range nv {
			p.load(address(bias, p.bytes()*v), v, p.operand(v, v))
		}
		p.each(rows, func(i, v, _ int) { p.VADDPS(p.operand(v, v), p.acc(i, v), p.acc(i, v)) })
	})
	p.when(tRelu, func() {
		zero := p.operand(0, 0)
		if p.isAVX512 {
			p.VPXORD(zero, zero, zero)
		} else {
			p.VXORPS(zero, zero, zero)
		}
		// MAX(0, v) is its second operand where either is NaN or forEachISA are
		// zero, so NaN and −0 stay.
		p.each(rows, func(i, v, _ int) { p.VMAXPS(p.acc(i, v), p.operand(0, v), p.acc(i, v)) })
	})
	multiply := func() {
		p.when(tMask, func() {
			m := p.matrix(tMask, tLDMask, rows)
			p.each(rows, func(i, v, disp int) {
				x := p.operand((i*nv+v)%3, v)
				p.load(m.row(i, disp), v, x)
				p.VMULPS(x, p.acc(i, v), p.acc(i, v))
			})
		})
	}
	save := func(field, ld int) {
		c := p.matrix(field, ld, rows)
		p.each(rows, func(i, v, disp int) { p.store(p.acc(i, v), v, c.row(i, disp)) })
	}
	p.when(tMasked, func() { save(tC, tLDC) })
	multiply()
	p.when(tGate, func() {
		m := p.matrix(tGate, tLDGate, rows)
		p.each(rows, func(i, v, disp int) {
			x, zero := p.operand(1+(i*nv+v)%2, v), p.operand(0, v)
			p.load(m.row(i, disp), v, x)
			const less = 1 // 0 < x, ordered, signalling nothing that Go hears
			if p.isAVX512 {
				if i == 0 && v == 0 {
					p.VPXORD(zmm[24], zmm[24], zmm[24])
				}
				p.VCMPPS(Imm(less), x, zero, reg.K2)
				p.VMOVAPS_Z(p.acc(i, v), reg.K2, p.acc(i, v))
				return
			}
			if i == 0 && v == 0 {
				p.VXORPS(zero, zero, zero)
			}
			p.VCMPPS(Imm(less), x, zero, x)
			p.VANDPS(x, p.acc(i, v), p.acc(i, v))
		})
	})
	masked, done := p.label("masked"), p.label("stored")
	p.CMPQ(address(p.t, tMasked), Imm(0))
	p.JNE(LabelRef(masked))
	save(tC, tLDC)
	p.JMP(LabelRef(done))
	p.Label(masked)
	save(tMasked, tLDMasked)
	p.Label(done)
}
