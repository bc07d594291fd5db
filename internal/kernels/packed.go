package kernels

import (
	"sync"
	"unsafe"
)

// maxPackedSide is the maximum number of rows and columns of B that are packed at a time: 4 MiB,
// which the third-level cache holds.
const maxPackedSide = 1024

// minPackedStride is the distance in bytes between the rows of a transposed A from which A is
// packed, too.
const minPackedStride = 2048

// shouldPack reports whether packing makes the product faster. The cost of packing is shared by
// the rows of A. The gain grows with the memory over which the panels of B are scattered; the
// narrow panels of AVX2, with one cache line per row, gain sooner.
func (t *tile) shouldPack() bool {
	size := t.n * t.k // numbers of B
	minSize := 1 << 15
	if currentISA == avx512 {
		minSize = 1 << 18
	}
	return t.m >= 200 && size >= minSize || t.m >= 100 && size >= 1<<20
}

// computePacked computes the product after copying B, and a transposed A with long rows, into the
// order in which the inner loops read them. In a large matrix the rows of a panel are a page and
// more apart, and at distances like 4 KiB they all fall into a few sets of each cache. B is copied
// once, and stays in the third-level cache while blocks of rows of A pass.
func (t tile) computePacked(buffers *packBuffers) {
	depth := blockSize(t.k, maxPackedSide, 8)
	terms := blockSize(depth, blockTerms, 8)
	for j := 0; j < t.n; j += maxPackedSide {
		for p := 0; p < t.k; p += depth {
			part := t.columns(j, maxPackedSide).terms(p, depth)
			part.computePackedPart(buffers, terms)
		}
	}
}

// computePackedPart computes a product whose B is small enough to be packed at once, with sums in
// blocks of the given number of terms.
func (t *tile) computePackedPart(buffers *packBuffers, terms int) {
	width := panelWidth()
	panels := (t.n + width - 1) / width
	b := buffers.b.resize(t.k * panels * width)
	for q := 0; q < t.k; q += terms {
		block := t.terms(q, terms)
		block.packB(b[q*panels*width:], width)
	}
	rows := blockSize(t.m, blockRows, 6)
	for i := 0; i < t.m; i += rows {
		for q := 0; q < t.k; q += terms {
			block := t.rows(i, rows).terms(q, terms)
			if block.aRow == 4 && block.aCol >= minPackedStride {
				a := buffers.a.resize(block.k * block.m)
				block.packA(a)
				block.a = &a[0]
				block.aCol = 4 * block.m
			}
			block.computePanels(b[q*panels*width:], panels)
		}
	}
}

// computePanels computes the product with the packed panels of B.
func (t *tile) computePanels(b []float32, panels int) {
	width := panelWidth()
	for v := range panels {
		panel := t.columns(v*width, width)
		panel.b = &b[v*t.k*width]
		panel.ldb = 4 * width
		panel.compute()
	}
}

// packA copies a transposed A to dst, term by term.
func (t *tile) packA(dst []float32) {
	n := t.m
	for p := range t.k {
		copy(dst[p*n:][:n], unsafe.Slice(offset(t.a, p*t.aCol), n))
	}
}

// packB copies B to dst, panel by panel of width columns.
func (t *tile) packB(dst []float32, width int) {
	if n := t.n / 16; n > 0 {
		packAVX2(&dst[0], 4*width*(t.k-1), t.b, t.ldb, t.k, n, width/16)
	}
	rest := t.n % 16
	if rest == 0 {
		return
	}
	firstRest := t.n - rest
	last := dst[firstRest/width*width*t.k+firstRest%width:]
	for p := range t.k {
		copy(last[p*width:], unsafe.Slice(offset(t.b, p*t.ldb+4*firstRest), rest))
	}
}

// packBuffers is memory for the packed matrices of one product.
type packBuffers struct{ a, b packBuffer }

// packBuffer is memory that grows as needed.
type packBuffer []float32

// resize returns n numbers with arbitrary values.
func (p *packBuffer) resize(n int) []float32 {
	if len(*p) < n {
		*p = make([]float32, n)
	}
	return (*p)[:n]
}

// freeBuffers are the buffers that no product uses now. There are as many buffers in all as
// products were ever packed at the same time.
var freeBuffers struct {
	sync.Mutex
	list []*packBuffers
}

// takeBuffers returns buffers that no other product uses.
func takeBuffers() *packBuffers {
	freeBuffers.Lock()
	defer freeBuffers.Unlock()
	n := len(freeBuffers.list)
	if n == 0 {
		return new(packBuffers)
	}
	b := freeBuffers.list[n-1]
	freeBuffers.list = freeBuffers.list[:n-1]
	return b
}

// release makes the buffers available to other products.
func (b *packBuffers) release() {
	freeBuffers.Lock()
	defer freeBuffers.Unlock()
	freeBuffers.list = append(freeBuffers.list, b)
}
