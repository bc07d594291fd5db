package kernels

import "unsafe"

// Sizes of blocks. A large product is computed in blocks of C's rows, and each of these in blocks
// of the terms of its sums, so that the numbers that are read repeatedly, a part of A and a panel
// of B, stay in the second-level cache. The partial sums are kept in C without rounding, so that
// blocks do not change a bit.
const (
	blockRows  = 120 // rows of A in a block
	blockTerms = 512 // terms of the sums in a block

	tileRows = 6 // rows that the inner loop computes together; the rows of a block are a multiple
	termUnit = 8 // the terms of a block are a multiple of it

	// transposedBlockTerms replaces blockTerms for a transposed A and narrow panels: each term
	// occupies a line of the first-level cache in both.
	transposedBlockTerms = 128

	// maxCachedA is the number of elements of A that stay in the second-level cache from one
	// panel of B to the next.
	maxCachedA = 1 << 16
)

// run computes the product. It divides a large product into blocks (see blockRows), and packs the
// matrices of a very large one first.
func (t *tile) run() {
	if t.shouldPack() {
		buffers := takeBuffers()
		t.computePacked(buffers)
		buffers.release()
		return
	}
	rows := t.m // rows per block
	hasSeveralPanels := t.n > panelWidth()
	if hasSeveralPanels && t.m*t.k > maxCachedA {
		rows = blockSize(t.m, blockRows, tileRows)
	}
	terms := t.k // terms per block
	maxTerms := blockTerms
	isTransposed := t.aCol != float32Bytes // the elements of a row of A are not neighbours
	if currentISA != avx512 && isTransposed {
		maxTerms = transposedBlockTerms
	}
	if t.k > maxTerms+maxTerms/2 { // a few terms more than maxTerms are not worth a second block
		terms = blockSize(t.k, maxTerms, termUnit)
	}
	if rows == t.m && terms == t.k {
		t.compute()
		return
	}
	for i := 0; i < t.m; i += rows {
		for p := 0; p < t.k; p += terms {
			block := t.rows(i, rows).terms(p, terms)
			block.compute()
		}
	}
}

// panelWidth returns the number of columns that the inner loop computes together: four vectors with
// AVX-512 and NEON, two with AVX2, which has fewer registers. The last panel of NEON may be wider, and
// two may be narrower.
func panelWidth() int {
	if currentISA == avx512 {
		return 64
	}
	return 16
}

// compute computes the product without blocks.
func (t *tile) compute() {
	switch currentISA {
	case avx512:
		gemmAVX512(t)
	case avx2:
		gemmAVX2(t)
	default:
		gemmNEON(t)
	}
}

// blockSize returns the size of the blocks into which n rows or terms are divided: a multiple of
// unit, as small as possible for the smallest number of blocks of at most about maxSize.
func blockSize(n, maxSize, unit int) int {
	blocks := max(1, (n+maxSize-1)/maxSize)
	size := (n + blocks - 1) / blocks
	return max(1, (size+unit-1)/unit) * unit
}

// rows returns the part of the product with rows i, …, i+n−1, or up to the last row.
func (t tile) rows(i, n int) tile {
	t.m = min(n, t.m-i)
	t.a = offset(t.a, i*t.aRow)
	t.c = offset(t.c, i*t.ldc)
	t.mask = offset(t.mask, i*t.ldMask)
	t.masked = offset(t.masked, i*t.ldMasked)
	t.gate = offset(t.gate, i*t.ldGate)
	return t
}

// columns returns the part of the product with columns j, …, j+n−1, or up to the last column.
func (t tile) columns(j, n int) tile {
	bytes := float32Bytes * j // from the first column to column j
	t.n = min(n, t.n-j)
	t.b = offset(t.b, bytes)
	t.c = offset(t.c, bytes)
	t.bias = offset(t.bias, bytes)
	t.mask = offset(t.mask, bytes)
	t.masked = offset(t.masked, bytes)
	t.gate = offset(t.gate, bytes)
	return t
}

// terms returns the part of the product's sums with terms p, …, p+n−1, or up to the last term. The
// parts must be computed in the order of their terms: each but the first adds to what C holds from the
// parts before it, and only the last has the epilogue.
func (t tile) terms(p, n int) tile {
	isFirst := p == 0
	isLast := p+n >= t.k
	if !isFirst {
		t.accumulate = 1
	}
	if !isLast {
		t.relu = 0
		t.bias = nil
		t.mask = nil
		t.masked = nil
		t.gate = nil
	}
	t.k = min(n, t.k-p)
	t.a = offset(t.a, p*t.aCol)
	t.b = offset(t.b, p*t.ldb)
	return t
}

// float32Bytes is the size of a float32.
const float32Bytes = 4

// offset returns the address that is a number of bytes after p, or nil if p is nil.
func offset(p *float32, bytes int) *float32 {
	if p == nil {
		return nil
	}
	return (*float32)(unsafe.Add(unsafe.Pointer(p), bytes))
}
