package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowTable writes the parts that gather and rows have in common: it computes the addresses of a table's
// rows from row indices, and loads a later row into the cache, since the CPU cannot guess its index.
type rowTable struct {
	avx
	rows reg.Register // address of the next row index
	last reg.Register // address of the last row index
	size reg.Register // bytes per row
}

// prefetch loads a later row into the cache, by one instruction for each cache line: ahead rows after the
// next one, or the last row if there are fewer.
func (t rowTable) prefetch(ahead int) {
	index := t.GP64()
	const (
		indexBytes = 4
		cacheLine  = 64 // bytes
	)
	t.LEAQ(address(t.rows, indexBytes*ahead), index)
	t.CMPQ(index, t.last)
	t.CMOVQHI(t.last, index)
	row := t.row(index)
	end, again := t.GP64(), t.label("fetch")
	t.LEAQ(indexedAddress(row, t.size, 1, -1), end)
	t.Label(again)
	t.PREFETCHT0(address(row, 0))
	t.ADDQ(Imm(cacheLine), row)
	t.CMPQ(row, end)
	t.JLT(LabelRef(again))
	t.PREFETCHT0(address(end, 0)) // the row may begin in the middle of a line
}

// row returns the address of the row whose index is in memory at the given address.
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
