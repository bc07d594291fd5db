package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const noSplit = attr.NOSPLIT

// Vector registers by number: zmm has 16 lanes of float32, ymm is its lower half.
var (
	zmm = []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}
	ymm = []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
		reg.Y16, reg.Y17, reg.Y18, reg.Y19, reg.Y20, reg.Y21, reg.Y22, reg.Y23, reg.Y24, reg.Y25, reg.Y26, reg.Y27, reg.Y28, reg.Y29, reg.Y30, reg.Y31,
	}
)

// address returns the memory operand base + disp.
func address(base operand.Op, disp int) operand.Mem {
	return operand.Mem{Base: base.(reg.Register), Disp: disp}
}

// indexedAddress returns the memory operand base + scale·index + disp. A nil index is left out.
func indexedAddress(base, index operand.Op, scale uint8, disp int) operand.Mem {
	if index == nil {
		return address(base, disp)
	}
	return operand.Mem{Base: base.(reg.Register), Index: index.(reg.Register), Scale: scale, Disp: disp}
}

// table returns the address of a read-only table with the given items. The name is unique in the file; a second call
// with the same name returns the same table.
func (g *generator) table(name string, items ...operand.Constant) operand.Mem {
	symbol := g.name + "_" + name
	if !g.tables[symbol] {
		g.tables[symbol] = true
		g.StaticGlobal(symbol)
		g.DataAttributes(attr.RODATA | attr.NOPTR)
		offset := 0
		for _, item := range items {
			g.AddDatum(offset, item)
			offset += item.Bytes()
		}
	}
	return operand.NewDataAddr(operand.NewStaticSymbol(symbol), 0)
}

// constant returns the address of a vector of copies of a 32-bit word.
func (g *generator) constant(word uint32) operand.Op {
	copies := slices.Repeat([]operand.Constant{operand.U32(word)}, 16)
	return g.table(fmt.Sprintf("%08x", word), copies...)
}

// float returns the address of a vector of copies of x.
func (g *generator) float(x float32) operand.Op { return g.constant(math.Float32bits(x)) }

// laneMaskTable returns the address of eight words of ones followed by eight of zeros. The eight
// words from word 8−n on select the first n lanes of a vector.
func (g *generator) laneMaskTable() operand.Mem {
	ones := slices.Repeat([]operand.Constant{operand.U32(0xFFFFFFFF)}, 8)
	zeros := slices.Repeat([]operand.Constant{operand.U32(0)}, 8)
	return g.table("windows", append(ones, zeros...)...)
}

// setLaneMask sets the AVX2 register mask to select the first n of 8 lanes, for 0 ≤ n ≤ 8: it loads the
// eight words of laneMaskTable that begin n words before the zeros.
func (g *generator) setLaneMask(mask reg.Register, n operand.Op) {
	table := g.GP64()
	g.LEAQ(g.laneMaskTable(), table)
	word := g.GP64()
	g.MOVQ(operand.U32(8), word)
	g.SUBQ(n, word)
	g.VMOVDQU(indexedAddress(table, word, 4, 0), mask)
}
