// Package pages reads the values of flat Parquet columns, page by page. Whatever a file
// claims, it takes no more memory than the bounds below allow: values are decoded one at a
// time, from pages that are unpacked to no more than their size says.
package pages

import (
	"errors"
	"fmt"
)

// Bounds on what a Parquet file may hold.
const (
	MaxPage   = 256 << 20 // bytes of a page, packed or not
	MaxText   = 16 << 20  // bytes of one value
	MaxFooter = 64 << 20  // bytes of the description of a file
	MaxPages  = 1 << 30   // bytes of all pages and dictionaries held at a time, of a small file

	// maxStructs bounds the columns, row groups and other items that a description lists.
	// Each takes up to 1 KiB in memory.
	maxStructs = 1 << 21

	// maxDepth bounds groups within groups.
	maxDepth = 64

	// packedRatio is how many times the size of the file all pages held at a time may take,
	// where that is more than MaxPages.
	packedRatio = 64

	maxHeader = 16 << 20 // bytes of a page's header, which may hold the least and the largest value
)

var errBroken = errors.New("the pages contradict themselves")

// Budget is the memory that the pages of a file may take together.
type Budget struct{ left int64 }

// NewBudget returns the budget of a file of that many bytes.
func NewBudget(size int64) *Budget {
	return &Budget{left: max(MaxPages, min(size, 1<<40)*packedRatio)}
}

// take reserves bytes, or gives back a negative number of them.
func (b *Budget) take(bytes int) error {
	if b.left -= int64(bytes); b.left < 0 {
		return fmt.Errorf("pages that take more than %d MiB at a time; write smaller pages, or fewer columns", MaxPages>>20)
	}
	return nil
}
