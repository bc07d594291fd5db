package kernels

import (
	"sync"
	"unsafe"
)

// packedSide is the most rows and columns of B that are packed at a time: 4 MiB,
// which the third-level cache holds.
const packedSide = 1024

// farApart is the distance in bytes of rows of a transposed A that are copied too.
const farApart = 2048

// shouldPack reports whether packing makes the product faster. Packing costs less if B meets more
// rows, and saves more if its panels are strewn over more memory. Narrow panels, with a cache
// line for each row, are strewn sooner.
func (t *tile) shouldPack() bool {
	size := t.n * t.k
	least := 1 << 15
	if active == avx512 {
		least = 1 << 18
	}
	return t.m >= 200 && size >= least || t.m >= 100 && size >= 1<<20
}

// computePacked computes the product after copying B, and a transposed A with long rows, into the
// loops' reading order. In a large matrix the rows of a panel lie a page and more apart, and at
// distances like 4 KiB they all fall into a few sets of each cache. B is copied once, and stays
// in the third-level cache while blocks of rows pass.
func (t tile) computePacked(r *room) {
	width, rows := panelWidth(), blockSize(t.m, blockRows, 6)
	depth := blockSize(t.k, packedSide, 8)
	terms := blockSize(depth, blockTerms, 8)
	for j := 0; j < t.n; j += packedSide {
		for p := 0; p < t.k; p += depth {
			part := t.columns(j, packedSide).terms(p, depth)
			panels := (part.n + width - 1) / width
			b := r.b.resize(part.k * panels * width)
			for q := 0; q < part.k; q += terms {
				piece := part.terms(q, terms)
				piece.packB(b[q*panels*width:], width)
			}
			for i := 0; i < t.m; i += rows {
				for q := 0; q < part.k; q += terms {
					piece := part.rows(i, rows).terms(q, terms)
					if piece.aRow == 4 && piece.aCol >= farApart {
						a := r.a.resize(piece.k * piece.m)
						piece.packA(a)
						piece.a, piece.aCol = &a[0], 4*piece.m
					}
					for v := range panels {
						panel := piece.columns(v*width, width)
						panel.b, panel.ldb = &b[(q*panels+v*piece.k)*width], 4*width
						panel.compute()
					}
				}
			}
		}
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
	from := t.n - rest
	last := dst[from/width*width*t.k+from%width:]
	for p := range t.k {
		copy(last[p*width:], unsafe.Slice(offset(t.b, p*t.ldb+4*from), rest))
	}
}

// room is memory for packed matrices. It belongs to one product at a time.
type room struct{ a, b packing }

type packing []float32

// resize returns n numbers with arbitrary values.
func (p *packing) resize(n int) []float32 {
	if len(*p) < n {
		*p = make([]float32, n)
	}
	return (*p)[:n]
}

// rooms are the rooms without a product. There are as many rooms as products were ever packed at
// the same time.
var rooms struct {
	sync.Mutex
	free []*room
}

func takeRoom() *room {
	rooms.Lock()
	defer rooms.Unlock()
	n := len(rooms.free)
	if n == 0 {
		return new(room)
	}
	r := rooms.free[n-1]
	rooms.free = rooms.free[:n-1]
	return r
}

func (r *room) giveBack() {
	rooms.Lock()
	defer rooms.Unlock()
	rooms.free = append(rooms.free, r)
}
