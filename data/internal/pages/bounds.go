// Package pages decodes the values of flat Parquet columns, page by page, in bounded memory:
// it checks every length and count of a file before it allocates. Start with CheckFooter and
// NewChunk. The package does not parse the file's schema, and reads no lists, maps or groups.
//
// The format is described at https://parquet.apache.org/docs/file-format.
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
	MaxPages  = 1 << 30   // bytes of all pages and dictionaries in memory together, for a small file

	// maxStructures is the maximum number of columns, row groups and other structures in the
	// metadata. Each takes up to 1 KiB of memory.
	maxStructures = 1 << 21

	// maxDepth is the maximum nesting of structures and groups.
	maxDepth = 64

	// maxCompressionRatio times the size of the file is the memory for the pages of a large
	// file, for which MaxPages would be too little.
	maxCompressionRatio = 64

	// maxFileSize in bytes keeps the product with maxCompressionRatio from overflowing.
	maxFileSize = 1 << 40

	maxPageHeader = 16 << 20 // bytes of a page's header, with the minimum and maximum of its values
)

var errInconsistent = errors.New("lengths, counts or types of its pages contradict each other")

// Budget limits the memory that all pages of a file take together. Several goroutines may use
// it at the same time.
type Budget struct{ bytesLeft atomic.Int64 }

// NewBudget returns the budget for a file of size bytes.
func NewBudget(size int64) *Budget {
	b := new(Budget)
	b.bytesLeft.Store(max(MaxPages, min(size, maxFileSize)*maxCompressionRatio))
	return b
}

// reserve takes bytes from the budget; a negative number gives bytes back. It returns an error
// if the budget is exceeded.
func (b *Budget) reserve(bytes int) error {
	if b.bytesLeft.Add(-int64(bytes)) < 0 {
		return fmt.Errorf("its pages take more than %d MiB of memory at a time; write smaller pages or fewer columns", MaxPages>>20)
	}
	return nil
}
