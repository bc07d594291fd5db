package kernels

import "unsafe"

// Sizes of blocks. A product goes through blocks of C's rows, and in each
// through pieces of its sums, so that what it reads over and over, a part of A and a
// panel of B, stays in the second-level cache. A sum goes on through C, which is
// exact: bits do not depend on blocks.
const (
	blockRows  = 120
	blockTerms = 512
	fewTerms   = 128     // of a transposed A and narrow panels: each term is a line of both in the first-level cache
	sharedA    = 1 << 16 // numbers of A that stay in that cache from one panel to the next
)

// run computes the product, block by block if it is large.
func (t *tile) run() {
	if t.shouldPack() {
		r := takeRoom()
		t.computePacked(r)
		r.giveBack()
		return
	}
	rows, terms, most := t.m, t.k, blockTerms
	if t.n > panelWidth() && t.m*t.k > sharedA {
		rows = blockSize(t.m, blockRows, 6)
	}
	if active != avx512 && t.aCol != 4 {
		most = fewTerms
	}
	if t.k > most+most/2 {
		terms = blockSize(t.k, most, 8)
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

// panelWidth is the number of columns that a tile spans.
func panelWidth() int {
	if active == avx512 {
		return 64
	}
	return 16
}

func (t *tile) compute() {
	if active == avx512 {
		gemmAVX512(t)
	} else {
		gemmAVX2(t)
	}
}

// blockSize returns the size of blocks for n things: a multiple of unit, and at most size. It
// uses as few blocks as possible and makes them equally large, except for the last.
func blockSize(n, size, unit int) int {
	blocks := max(1, (n+size-1)/size)
	each := (n + blocks - 1) / blocks
	return max(1, (each+unit-1)/unit) * unit
}

// rows returns the part of the product with rows i, …, i+n−1, or up to the last row.
func (t tile) rows(i, n int) tile {
	t.m = min(n, t.m-i)
	t.a, t.c = offset(t.a, i*t.aRow), offset(t.c, i*t.ldc)
	t.mask, t.masked, t.gate = offset(t.mask, i*t.ldMask), offset(t.masked, i*t.ldMasked), offset(t.gate, i*t.ldGate)
	return t
}

// columns returns the part of the product with columns j, …, j+n−1, or up to the last column.
func (t tile) columns(j, n int) tile {
	t.n = min(n, t.n-j)
	t.b, t.c, t.bias = offset(t.b, 4*j), offset(t.c, 4*j), offset(t.bias, 4*j)
	t.mask, t.masked, t.gate = offset(t.mask, 4*j), offset(t.masked, 4*j), offset(t.gate, 4*j)
	return t
}

// terms returns the part of the product's sums with terms p, …, p+n−1, or up to the last term.
// Only the part with the last term has the tail.
func (t tile) terms(p, n int) tile {
	if p > 0 {
		t.accumulate = 1
	}
	if p+n < t.k {
		t.relu, t.bias, t.mask, t.masked, t.gate = 0, nil, nil, nil, nil
	}
	t.k = min(n, t.k-p)
	t.a, t.b = offset(t.a, p*t.aCol), offset(t.b, p*t.ldb)
	return t
}

// offset returns the address some bytes behind p, or nil if p is nil.
func offset(p *float32, bytes int) *float32 {
	if p == nil {
		return nil
	}
	return (*float32)(unsafe.Add(unsafe.Pointer(p), bytes))
}
