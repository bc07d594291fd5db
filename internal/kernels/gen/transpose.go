package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transposer writes the kernel dst[j,i] = src[i,j], in blocks of 8×8. At the edges, a block reads its
// last row in place of missing rows, and masks select the columns that it reads and writes.
type transposer struct {
	*generator
	dst, src   reg.GPVirtual // addresses of the current eight rows of src, and of their columns in dst
	rows, cols reg.GPVirtual // remaining rows; columns of src
	ld, ldDst  reg.GPVirtual // distances between rows in bytes

	blockRows reg.GPVirtual // rows of the block, at most 8
	blockCols reg.GPVirtual // columns of the block, at most 8
	column    reg.GPVirtual // first column of the block
	out       reg.GPVirtual // address of the block's next row in dst
	eight     reg.GPVirtual // 8
}

// Masks of the block's columns in src and of its rows in dst.
var (
	colMask = ymm[15]
	rowMask = ymm[14]
)

// transpose writes the kernel that transposes a matrix.
func transpose(g *generator) {
	g.function("transposeAVX2", "dst, src *float32, rows, cols int", "transposes a contiguous matrix of at least one number.")
	t := &transposer{generator: g}
	t.dst = g.Load(g.Param("dst"), g.GP64()).(reg.GPVirtual)
	t.src = g.Load(g.Param("src"), g.GP64()).(reg.GPVirtual)
	t.rows = g.Load(g.Param("rows"), g.GP64()).(reg.GPVirtual)
	t.cols = g.Load(g.Param("cols"), g.GP64()).(reg.GPVirtual)
	t.eight = g.GP64()
	g.MOVQ(U32(8), t.eight)
	t.ld = g.GP64()
	t.ldDst = g.GP64()
	g.MOVQ(t.cols, t.ld)
	g.SHLQ(Imm(2), t.ld)
	g.MOVQ(t.rows, t.ldDst)
	g.SHLQ(Imm(2), t.ldDst)
	t.writeLoops()
}

// writeLoops writes the loop over groups of eight rows, from the top, and in it the loop over blocks,
// from the left.
func (t *transposer) writeLoops() {
	t.blockRows = t.GP64()
	down := t.label("down")
	right := t.label("right")
	store := t.label("store")
	nextRows := t.label("nextrows")
	done := t.label("done")
	t.Label(down)
	t.TESTQ(t.rows, t.rows)
	t.JLE(LabelRef(done))
	t.MOVQ(t.rows, t.blockRows)
	t.CMPQ(t.blockRows, Imm(8))
	t.CMOVQGT(t.eight, t.blockRows)
	t.setLaneMask(rowMask, t.blockRows)
	t.column = t.GP64()
	t.out = t.GP64()
	t.XORQ(t.column, t.column)
	t.MOVQ(t.dst, t.out)

	t.Label(right)
	t.blockCols = t.GP64()
	t.MOVQ(t.cols, t.blockCols)
	t.SUBQ(t.column, t.blockCols)
	t.JLE(LabelRef(nextRows))
	t.CMPQ(t.blockCols, Imm(8))
	t.CMOVQGT(t.eight, t.blockCols)
	t.setLaneMask(colMask, t.blockCols)
	t.loadBlock()
	t.transposeBlock()
	t.storeBlock(store)
	t.Label(store)
	t.ADDQ(Imm(8), t.column)
	t.JMP(LabelRef(right))

	t.Label(nextRows)
	t.LEAQ(indexedAddress(t.src, t.ld, 8, 0), t.src)
	t.ADDQ(Imm(32), t.dst)
	t.SUBQ(Imm(8), t.rows)
	t.JMP(LabelRef(down))
	t.Label(done)
	t.VZEROUPPER()
	t.RET()
}

// loadBlock loads the rows of a block into registers 0 to 7. It repeats the last row for missing rows.
func (t *transposer) loadBlock() {
	row, next := t.GP64(), t.GP64()
	t.LEAQ(indexedAddress(t.src, t.column, 4, 0), row)
	for i := range 8 {
		t.VMASKMOVPS(address(row, 0), colMask, ymm[i])
		if i < 7 { // go to the next row if the block has one
			t.MOVQ(row, next)
			t.ADDQ(t.ld, next)
			t.CMPQ(t.blockRows, Imm(uint64(i+1)))
			t.CMOVQGT(next, row)
		}
	}
}

// transposeBlock transposes the 8×8 block in registers 0 to 7: it interleaves the numbers of pairs of
// rows, then pairs of numbers, then halves of registers.
func (t *transposer) transposeBlock() {
	y := ymm
	for i := 0; i < 8; i += 2 {
		low := y[8+i/2]
		t.VUNPCKLPS(y[i+1], y[i], low)
		t.VUNPCKHPS(y[i+1], y[i], y[i+1])
		t.VMOVAPS(low, y[i])
	}
	for i := 0; i < 8; i += 4 {
		// Registers i to i+3 have the low and high numbers of rows i and i+1, then of i+2 and i+3.
		t.VUNPCKLPD(y[i+2], y[i], y[8])
		t.VUNPCKHPD(y[i+2], y[i], y[9])
		t.VUNPCKLPD(y[i+3], y[i+1], y[10])
		t.VUNPCKHPD(y[i+3], y[i+1], y[11])
		for n := range 4 {
			t.VMOVAPS(y[8+n], y[i+n])
		}
	}
	for i := range 4 {
		t.VPERM2F128(Imm(0x20), y[i+4], y[i], y[8])   // the lower halves of both
		t.VPERM2F128(Imm(0x31), y[i+4], y[i], y[i+4]) // the upper halves of both
		t.VMOVAPS(y[8], y[i])
	}
}

// storeBlock stores the block's columns, which are rows of dst, and jumps to the label stored, which its
// caller defines, after the last. A block of eight rows needs no mask.
func (t *transposer) storeBlock(stored string) {
	full := t.label("full")
	nextColumn := func(i int) {
		t.ADDQ(t.ldDst, t.out)
		if i < 7 {
			t.DECQ(t.blockCols)
			t.JEQ(LabelRef(stored))
		}
	}
	t.CMPQ(t.blockRows, Imm(8))
	t.JEQ(LabelRef(full))
	for i := range 8 {
		t.VMASKMOVPS(ymm[i], rowMask, address(t.out, 0))
		nextColumn(i)
	}
	t.JMP(LabelRef(stored))
	t.Label(full)
	for i := range 8 {
		t.VMOVUPS(ymm[i], address(t.out, 0))
		nextColumn(i)
	}
}
