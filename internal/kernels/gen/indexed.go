package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowTable are rows of a table by their numbers.
type rowTable struct {
	vectorMath
	rows reg.Register // numbers of those that are still to do
	last reg.Register // address of the last number
	size reg.Register // bytes of a row
}

// prefetch asks for the row whose turn comes so many rows later, the last line of it too where
// a row begins within a line.
func (t rowTable) prefetch(ahead int) {
	soon := t.GP64()
	t.LEAQ(address(t.rows, 4*ahead), soon)
	t.CMPQ(soon, t.last)
	t.CMOVQHI(t.last, soon)
	row := t.row(soon)
	end, again := t.GP64(), t.label("fetch")
	t.LEAQ(indexedAddress(row, t.size, 1, -1), end)
	t.Label(again)
	t.PREFETCHT0(address(row, 0))
	t.ADDQ(Imm(64), row)
	t.CMPQ(row, end)
	t.JLT(LabelRef(again))
	t.PREFETCHT0(address(end, 0))
}

// row returns the address of the row whose number lies at index.
func (t rowTable) row(index reg.Register) reg.Register {
	table, err := t.Param("table").Resolve()
	if err != nil {
		panic(err)
	}
	row := t.GP64()
	t.MOVLQSX(address(index, 0), row)
	t.IMULQ(t.size, row)
	t.ADDQ(table.Addr, row)
	return row
}
