package kernels

import "unsafe"

// Sizes of blocks. A large product is computed in blocks of C's rows, and each of these in blocks
// of the terms of its sums, so that the numbers that are read repeatedly, a part of A and a panel
// of B, stay in the second-level cache. The partial sums are kept in C without rounding, so that
// blocks do not change a bit.
const (
	blockRows = 120

	blockTerms = 512

	// transposedBlockTerms replaces blockTerms for a transposed A and narrow panels: each term
	// occupies a line of the first-level cache in both.
	transposedBlockTerms = 128

	// maxCachedA is the number of elements of A that stay in the second-level cache from one
	// panel of B to the next.
	maxCachedA = 1 << 16
)

// run computes the product, in blocks if it is large.
func (t *tile) run() {
	if t.shouldPack() {
		buffers := takeBuffers()
		t.computePacked(buffers)
		buffers.release()
		return
	}
	rows := t.m
	if t.n > panelWidth() && t.m*t.k > maxCachedA {
		rows = blockSize(t.m, blockRows, 6)
	}
	terms := t.k
	maxTerms := blockTerms
	if currentISA != avx512 && t.aCol != 4 {
		maxTerms = transposedBlockTerms
	}
	if t.k > maxTerms+maxTerms/2 {
		terms = blockSize(t.k, maxTerms, 8)
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

// panelWidth returns the number of columns that the inner loop computes together.
func panelWidth() int {
	if currentISA == avx512 {
		return 64
	}
	return 16
}

// compute computes the product without blocks.
func (t *tile) compute() {
	if currentISA == avx512 {
		gemmAVX512(t)
	} else {
		gemmAVX2(t)
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
	t.n = min(n, t.n-j)
	t.b = offset(t.b, 4*j)
	t.c = offset(t.c, 4*j)
	t.bias = offset(t.bias, 4*j)
	t.mask = offset(t.mask, 4*j)
	t.masked = offset(t.masked, 4*j)
	t.gate = offset(t.gate, 4*j)
	return t
}

// terms returns the part of the product's sums with terms p, …, p+n−1, or up to the last term.
// Only the part with the last term has the epilogue.
func (t tile) terms(p, n int) tile {
	if p > 0 {
		t.accumulate = 1
	}
	if p+n < t.k {
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

// offset returns p plus a number of bytes, or nil if p is nil.
func offset(p *float32, bytes int) *float32 {
	if p == nil {
		return nil
	}
	return (*float32)(unsafe.Add(unsafe.Pointer(p), bytes))
}
