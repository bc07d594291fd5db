package kernels

import (
	"sync"
	"unsafe"
)

// packedSide is the most rows and columns of B that are packed at a time: 4 MiB,
// which the third-level cache holds.
const packedSide = 1024

const packedNumbers, packedRows = 1 << 18, 100

// packs tells whether the product is worth packing: see packed.
func (t *tile) packs() bool {
	return t.n*t.k >= packedNumbers && t.m >= packedRows
}

// packed computes the product with B, and a transposed A, copied to where
// its numbers lie in the order in which the loops read them. In a large
// matrix the rows of one panel lie a page and more apart, and at the distances that
// sizes like 1024 have, all in a few sets of each cache.
func (t tile) packed(r *room, rows int) {
	width := 16
	if active == avx512 {
		width = 64
	}
	depth := evenly(t.k, packedSide, 8)
	terms := evenly(depth, blockTerms, 8)
	for j := 0; j < t.n; j += packedSide {
		for p := 0; p < t.k; p += depth {
			part := t.columns(j, packedSide).terms(p, depth)
			panels := (part.n + width - 1) / width
			b := r.b.of(part.k * panels * width)
			for q := 0; q < part.k; q += terms {
				piece := part.terms(q, terms)
				piece.packB(b[q*panels*width:], width)
			}
			for i := 0; i < t.m; i += rows {
				for q := 0; q < part.k; q += terms {
					piece := part.rows(i, rows).terms(q, terms)
					if piece.aCol != 4 {
						a := r.a.of(piece.k * piece.m)
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
		copy(dst[p*n:][:n], unsafe.Slice(past(t.a, p*t.aCol), n))
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
		copy(last[p*width:], unsafe.Slice(past(t.b, p*t.ldb+4*from), rest))
	}
}

// room is where a product packs its matrices. It belongs to one product at a time.
type room struct{ a, b packing }

type packing []float32

// of gives n numbers of any value.
func (p *packing) of(n int) []float32 {
	if len(*p) < n {
		*p = make([]float32, n)
	}
	return (*p)[:n]
}

// rooms are those that no product uses now: as many as products ever ran at
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
