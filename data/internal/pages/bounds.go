// Package pages reads the values of flat Parquet columns, page by page, within the bounds
// below: it trusts no length or count in a file, decompresses a page to its declared size at
// most, and decodes one value at a time.
package pages

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// Bounds on Parquet files.
const (
	MaxPage   = 256 << 20 // bytes of a page, compressed or not
	MaxText   = 16 << 20  // bytes of one value
	MaxFooter = 64 << 20  // bytes of the metadata at the end of a file
	MaxPages  = 1 << 30   // bytes of all pages and dictionaries held at a time, of a small file

	// maxStructs bounds the columns, row groups and other structures of the metadata. Each
	// takes up to 1 KiB in memory.
	maxStructs = 1 << 21

	// maxDepth bounds groups within groups.
	maxDepth = 64

	// packedRatio times the size of the file is the memory for all pages held at a time, if
	// it exceeds MaxPages.
	packedRatio = 64

	maxHeader = 16 << 20 // bytes of a page's header, including the minimum and maximum of its values
)

var errBroken = errors.New("the pages contradict themselves")

// Budget is the memory that the pages of a file may take together. Several goroutines may use
// it at the same time.
type Budget struct{ left atomic.Int64 }

// NewBudget returns the budget of a file of that many bytes.
func NewBudget(size int64) *Budget {
	b := new(Budget)
	b.left.Store(max(MaxPages, min(size, 1<<40)*packedRatio))
	return b
}

// take reserves bytes, or gives back a negative number of them.
func (b *Budget) take(bytes int) error {
	if b.left.Add(-int64(bytes)) < 0 {
		return fmt.Errorf("pages that take more than %d MiB at a time; write smaller pages, or fewer columns", MaxPages>>20)
	}
	return nil
}
