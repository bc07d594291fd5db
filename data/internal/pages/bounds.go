// Package pages reads the values of flat Parquet columns, page by page, in bounded memory. The library parquet-go decodes
// the values of a page. It trusts every length and count in a file, and so this package reads and unpacks the pages, and
// checks lengths and counts before the library sees them. Start with CheckFooter and NewChunk. The package does not parse
// the file's schema, and reads no lists, maps or groups.
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
	maxPage   = 256 << 20 // bytes of a page, compressed or not
	maxText   = 16 << 20  // bytes of one value
	maxFooter = 64 << 20  // bytes of the metadata at the end of a file
	maxPages  = 1 << 30   // bytes of all pages and dictionaries in memory together, for a small file

	// maxStructures is the maximum number of columns, row groups and other structures in the
	// metadata. Each takes up to 1 KiB of memory, 2 GiB in all.
	maxStructures = 1 << 21

	// maxDepth is the maximum nesting of structures and groups, so that recursion does not exhaust the
	// stack.
	maxDepth = 64

	// maxCompressionRatio is how many times its size a file's pages may take in memory, if that is
	// more than maxPages.
	maxCompressionRatio = 64

	// maxFileSize is the size in bytes from which on the budget of pages does not grow, so that its
	// product with maxCompressionRatio does not overflow.
	maxFileSize = 1 << 40

	maxPageHeader = 16 << 20 // bytes of a page's header, with the minimum and maximum of its values
)

// errInconsistent is the error for a file whose own statements do not agree.
var errInconsistent = errors.New("lengths, counts or types of its pages contradict each other")

// Budget limits the memory that all pages of a file take together. Several goroutines may use
// it at the same time.
type Budget struct {
	bytesLeft atomic.Int64 // negative after a reservation that was refused
}

// NewBudget returns the budget for a file of size bytes: maxPages, and more for a large file.
func NewBudget(size int64) *Budget {
	b := new(Budget)
	b.bytesLeft.Store(max(maxPages, min(size, maxFileSize)*maxCompressionRatio))
	return b
}

// reserve takes bytes from the budget; a negative number gives bytes back. It returns an error
// if the budget is exceeded; the bytes are taken all the same, and have to be given back.
func (b *Budget) reserve(bytes int) error {
	if b.bytesLeft.Add(-int64(bytes)) < 0 {
		return fmt.Errorf("its pages take more than %d MiB of memory at a time; write smaller pages or fewer columns", maxPages>>20)
	}
	return nil
}
