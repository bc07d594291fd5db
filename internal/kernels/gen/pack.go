package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packDoc is the doc comment of the kernels that copy a matrix into panels.
const packDoc = "copies rows of 16·sixteens numbers to panels of 16·width columns. The rows of src are ld bytes apart; the continuation of a row in the next panel is panel bytes after its end."

// pack writes the kernel that copies a matrix into panels of columns: row by row from the top, and
// in each row 16 columns at a time.
func pack(g *generator) {
	g.function("packAVX2", "dst *float32, panel int, src *float32, ld int, rows, sixteens, width int",
		packDoc)
	dst := g.Load(g.Param("dst"), g.GP64())
	panel := g.Load(g.Param("panel"), g.GP64())
	src := g.Load(g.Param("src"), g.GP64())
	ld := g.Load(g.Param("ld"), g.GP64())
	rows := g.Load(g.Param("rows"), g.GP64())
	sixteens := g.Load(g.Param("sixteens"), g.GP64())
	width := g.Load(g.Param("width"), g.GP64())
	from := g.GP64()
	to := g.GP64()
	left := g.GP64()
	inPanel := g.GP64()
	size := g.GP64() // bytes per row of a panel: 64 for each 16 columns
	g.MOVQ(width, size)
	g.SHLQ(Imm(6), size)
	down := g.label("down")
	right := g.label("right")
	same := g.label("same")
	g.Label(down)
	g.MOVQ(src, from)
	g.MOVQ(dst, to)
	g.MOVQ(sixteens, left)
	g.MOVQ(width, inPanel)
	g.Label(right)
	g.copySixteen(from, to)
	g.DECQ(inPanel) // groups of 16 columns up to the end of the panel
	g.JNE(LabelRef(same))
	g.MOVQ(width, inPanel) // the row goes on in the next panel
	g.ADDQ(panel, to)
	g.Label(same)
	g.DECQ(left)
	g.JNE(LabelRef(right))
	g.ADDQ(ld, src)
	g.ADDQ(size, dst)
	g.DECQ(rows)
	g.JNE(LabelRef(down))
	g.VZEROUPPER()
	g.RET()
}

// copySixteen copies 16 numbers and moves both addresses past them.
func (g *generator) copySixteen(from, to reg.Register) {
	g.VMOVUPS(address(from, 0), ymm[0])
	g.VMOVUPS(address(from, 32), ymm[1])
	g.VMOVUPS(ymm[0], address(to, 0))
	g.VMOVUPS(ymm[1], address(to, 32))
	g.ADDQ(Imm(64), from)
	g.ADDQ(Imm(64), to)
}
