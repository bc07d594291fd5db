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
	if t.packs() {
		r := takeRoom()
		t.packed(r)
		r.giveBack()
		return
	}
	rows, terms, most := t.m, t.k, blockTerms
	if t.n > panelWidth() && t.m*t.k > sharedA {
		rows = evenly(t.m, blockRows, 6)
	}
	if active != avx512 && t.aCol != 4 {
		most = fewTerms
	}
	if t.k > most+most/2 {
		terms = evenly(t.k, most, 8)
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

// evenly is the size, a multiple of unit, of the fewest blocks of at most size that n
// things go into, where all but the last have as many as that.
func evenly(n, size, unit int) int {
	blocks := max(1, (n+size-1)/size)
	each := (n + blocks - 1) / blocks
	return max(1, (each+unit-1)/unit) * unit
}

// rows is the product's rows i, …, i+n−1, or up to the last.
func (t tile) rows(i, n int) tile {
	t.m = min(n, t.m-i)
	t.a, t.c = past(t.a, i*t.aRow), past(t.c, i*t.ldc)
	t.mask, t.masked, t.gate = past(t.mask, i*t.ldMask), past(t.masked, i*t.ldMasked), past(t.gate, i*t.ldGate)
	return t
}

// columns is the product's columns j, …, j+n−1, or up to the last.
func (t tile) columns(j, n int) tile {
	t.n = min(n, t.n-j)
	t.b, t.c, t.bias = past(t.b, 4*j), past(t.c, 4*j), past(t.bias, 4*j)
	t.mask, t.masked, t.gate = past(t.mask, 4*j), past(t.masked, 4*j), past(t.gate, 4*j)
	return t
}

// terms is the part of the product's sums from term p to p+n−1, or to the
// last, which the tail follows.
func (t tile) terms(p, n int) tile {
	if p > 0 {
		t.accumulate = 1
	}
	if p+n < t.k {
		t.relu, t.bias, t.mask, t.masked, t.gate = 0, nil, nil, nil, nil
	}
	t.k = min(n, t.k-p)
	t.a, t.b = past(t.a, p*t.aCol), past(t.b, p*t.ldb)
	return t
}

// past is the address so many bytes behind p; what is absent stays so.
func past(p *float32, bytes int) *float32 {
	if p == nil {
		return nil
	}
	return (*float32)(unsafe.Add(unsafe.Pointer(p), bytes))
}
