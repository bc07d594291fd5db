package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// transpose writes the kernel dst[j,i] = src[i,j], in blocks of 8×8. At the edges, a block reads its
// last row in place of missing rows, and masks select the columns that it reads and writes.
func transpose(g *generator) {
	g.function("transposeAVX2", "dst, src *float32, rows, cols int", "transposes a contiguous matrix of at least one number.")
	dst := g.Load(g.Param("dst"), g.GP64())
	src := g.Load(g.Param("src"), g.GP64())
	rows := g.Load(g.Param("rows"), g.GP64())
	cols := g.Load(g.Param("cols"), g.GP64())
	eight := g.GP64()
	g.MOVQ(U32(8), eight)
	ld, ldDst := g.GP64(), g.GP64() // bytes between rows
	g.MOVQ(cols, ld)
	g.SHLQ(Imm(2), ld)
	g.MOVQ(rows, ldDst)
	g.SHLQ(Imm(2), ldDst)

	// Rows from the top, eight at a time; in them columns from the left.
	inRows, colMask, rowMask := g.GP64(), ymm[15], ymm[14]
	down, right, store, nextRows, done := g.label("down"), g.label("right"), g.label("store"), g.label("nextrows"), g.label("done")
	g.Label(down)
	g.TESTQ(rows, rows)
	g.JLE(LabelRef(done))
	g.MOVQ(rows, inRows)
	g.CMPQ(inRows, Imm(8))
	g.CMOVQGT(eight, inRows)
	g.setLaneMask(rowMask, inRows)
	j, out := g.GP64(), g.GP64()
	g.XORQ(j, j)
	g.MOVQ(dst, out)
	g.Label(right)
	left := g.GP64()
	g.MOVQ(cols, left)
	g.SUBQ(j, left)
	g.JLE(LabelRef(nextRows))
	g.CMPQ(left, Imm(8))
	g.CMOVQGT(eight, left)
	g.setLaneMask(colMask, left)
	p, q := g.GP64(), g.GP64()
	g.LEAQ(indexedAddress(src, j, 4, 0), p)
	for i := range 8 {
		g.VMASKMOVPS(address(p, 0), colMask, ymm[i])
		if i < 7 {
			g.MOVQ(p, q)
			g.ADDQ(ld, q)
			g.CMPQ(inRows, Imm(uint64(i+1)))
			g.CMOVQGT(q, p)
		}
	}
	// Pairs of rows, then of pairs, then of halves.
	y := ymm
	for i := 0; i < 8; i += 2 {
		t := y[8+i/2]
		g.VUNPCKLPS(y[i+1], y[i], t)
		g.VUNPCKHPS(y[i+1], y[i], y[i+1])
		g.VMOVAPS(t, y[i])
	}
	for i := 0; i < 8; i += 4 {
		// rows i…i+3 hold (0,1 low), (0,1 high), (2,3 low), (2,3 high)
		g.VUNPCKLPD(y[i+2], y[i], y[8])
		g.VUNPCKHPD(y[i+2], y[i], y[9])
		g.VUNPCKLPD(y[i+3], y[i+1], y[10])
		g.VUNPCKHPD(y[i+3], y[i+1], y[11])
		for n := range 4 {
			g.VMOVAPS(y[8+n], y[i+n])
		}
	}
	for i := range 4 {
		g.VPERM2F128(Imm(0x20), y[i+4], y[i], y[8])
		g.VPERM2F128(Imm(0x31), y[i+4], y[i], y[i+4])
		g.VMOVAPS(y[8], y[i])
	}
	full := g.label("full")
	step := func(i int) {
		g.ADDQ(ldDst, out)
		if i < 7 {
			g.DECQ(left)
			g.JEQ(LabelRef(store))
		}
	}
	g.CMPQ(inRows, Imm(8))
	g.JEQ(LabelRef(full))
	for i := range 8 {
		g.VMASKMOVPS(y[i], rowMask, address(out, 0))
		step(i)
	}
	g.JMP(LabelRef(store))
	g.Label(full)
	for i := range 8 {
		g.VMOVUPS(y[i], address(out, 0))
		step(i)
	}
	g.Label(store)
	g.ADDQ(Imm(8), j)
	g.JMP(LabelRef(right))

	g.Label(nextRows)
	g.LEAQ(indexedAddress(src, ld, 8, 0), src)
	g.ADDQ(Imm(32), dst)
	g.SUBQ(Imm(8), rows)
	g.JMP(LabelRef(down))
	g.Label(done)
	g.VZEROUPPER()
	g.RET()
}
