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
// narrow panels of AVX2, with one cache line per row, gain sooner. The thresholds were found by
// measurement.
func (t *tile) shouldPack() bool {
	const (
		minRows     = 200 // rows of A that share the cost
		minRowsHuge = 100 // for a huge B
		hugeB       = 1 << 20
	)
	sizeB := t.n * t.k // numbers of B
	minSizeB := 1 << 15
	if currentISA == avx512 {
		minSizeB = 1 << 18
	}
	return t.m >= minRows && sizeB >= minSizeB || t.m >= minRowsHuge && sizeB >= hugeB
}

// computePacked computes the product after copying B, and a transposed A with long rows, into the
// order in which the inner loops read them. In a large matrix the rows of a panel are a page and
// more apart, and at distances like 4 KiB they all fall into a few sets of each cache. B is copied
// once, and stays in the third-level cache while blocks of rows of A pass.
func (t tile) computePacked(buffers *packBuffers) {
	partTerms := blockSize(t.k, maxPackedSide, termUnit)
	termsPerBlock := blockSize(partTerms, blockTerms, termUnit)
	for j := 0; j < t.n; j += maxPackedSide {
		for p := 0; p < t.k; p += partTerms {
			part := t.columns(j, maxPackedSide).terms(p, partTerms)
			part.computePackedPart(buffers, termsPerBlock)
		}
	}
}

// computePackedPart computes a product whose B is small enough to be packed at once, with sums in
// blocks of the given number of terms. The packed B holds the blocks one after another.
func (t *tile) computePackedPart(buffers *packBuffers, termsPerBlock int) {
	width := panelWidth()
	panels := (t.n + width - 1) / width
	paddedColumns := panels * width // numbers per term in the packed B; the last panel may have gaps
	b := buffers.b.resize(t.k * paddedColumns)
	for p := 0; p < t.k; p += termsPerBlock {
		block := t.terms(p, termsPerBlock)
		block.packB(b[p*paddedColumns:], width)
	}
	rows := blockSize(t.m, blockRows, tileRows)
	for i := 0; i < t.m; i += rows {
		for p := 0; p < t.k; p += termsPerBlock {
			block := t.rows(i, rows).terms(p, termsPerBlock)
			isTransposed := block.aRow == float32Bytes
			if isTransposed && block.aCol >= minPackedStride {
				block.replaceByPackedA(buffers.a.resize(block.k * block.m))
			}
			block.computePanels(b[p*paddedColumns:], panels)
		}
	}
}

// computePanels computes the product with the packed panels of B.
func (t *tile) computePanels(b []float32, panels int) {
	width := panelWidth()
	for i := range panels {
		panel := t.columns(i*width, width)
		panel.b = &b[i*t.k*width]
		panel.ldb = float32Bytes * width
		panel.compute()
	}
}

// replaceByPackedA copies a transposed A to packed, term by term without gaps, and makes packed the A
// of the product.
func (t *tile) replaceByPackedA(packed []float32) {
	n := t.m
	for p := range t.k {
		copy(packed[p*n:][:n], unsafe.Slice(offset(t.a, p*t.aCol), n))
	}
	t.a = &packed[0]
	t.aCol = float32Bytes * n
}

// packB copies B to dst, panel by panel of width columns: the rows of a panel follow one another. The
// assembly copies groups of 16 columns, and Go the columns after the last group.
func (t *tile) packB(dst []float32, width int) {
	const group = 16
	groups := t.n / group
	if groups > 0 {
		toNextPanel := float32Bytes * width * (t.k - 1) // bytes from the end of a panel's row to the row's next panel
		if currentISA == neon {
			packNEON(&dst[0], toNextPanel, t.b, t.ldb, t.k, groups, width/group)
		} else {
			packAVX2(&dst[0], toNextPanel, t.b, t.ldb, t.k, groups, width/group)
		}
	}
	restColumns := t.n % group
	if restColumns == 0 {
		return
	}
	firstRest := t.n - restColumns // the first column that the assembly does not copy
	panel := firstRest / width
	to := dst[panel*width*t.k+firstRest%width:]
	for p := range t.k {
		copy(to[p*width:], unsafe.Slice(offset(t.b, p*t.ldb+float32Bytes*firstRest), restColumns))
	}
}

// packBuffers is memory for the packed matrices of one product.
type packBuffers struct {
	a, b   packBuffer[float32]
	panels packBuffer[panelRow] // of portable Go
}

// packBuffer is memory that grows as needed.
type packBuffer[T any] []T

// resize returns n numbers with arbitrary values.
func (p *packBuffer[T]) resize(n int) []T {
	if len(*p) < n {
		*p = make([]T, n)
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
