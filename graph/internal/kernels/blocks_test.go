package kernels

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// TestGemmBlocks has sizes at and beside the borders of blocks: of rows, of
// pieces of the chain, of panels, and of what is packed at a time.
func TestGemmBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 0))
	flags := 0
	next := func() int { flags = (flags*5 + 3) & 255; return flags }
	for _, m := range []int{blockRows - 1, blockRows, blockRows + 1, blockRows + 5, 2*blockRows + 1, 3*blockRows - 2} {
		for _, n := range []int{50, 67} {
			compareGemm(t, randomGemm(r, m, n, 33, next(), randoms))
			compareGemm(t, randomGemm(r, m, n, 33, next()&^tailed|transposed, randoms))
		}
	}
	for _, k := range []int{blockTerms - 1, blockTerms, blockTerms + 1, 2 * blockTerms, 2*blockTerms + 1, 3*blockTerms + 7} {
		for range 4 {
			compareGemm(t, randomGemm(r, 7, 50, k, next(), randoms))
			compareGemm(t, randomGemm(r, blockRows+1, 17, k, next(), randoms))
		}
	}
	packed := []struct{ m, n, k int }{
		{packedRows, packedSide, packedNumbers / packedSide},
		{packedRows - 1, packedSide, packedNumbers / packedSide},
		{packedRows + 1, 577, 600},
		{blockRows + 1, packedSide + 1, blockTerms + 1},
		{packedRows, 257, packedSide + 1},
		{packedRows + 1, 515, 2*packedSide + 9},
		{2*blockRows + 5, 2*packedSide + 3, 131},
		{packedRows, 18, 16 * packedSide},
		{packedRows, 16 * packedSide, 17},
	}
	for _, s := range packed {
		for _, parts := range []int{0, accumulated, transposed, next(), next() | transposed, next() &^ transposed} {
			compareGemm(t, randomGemm(r, s.m, s.n, s.k, parts, randoms))
		}
	}
	compareGemm(t, randomGemm(r, packedRows, 530, 520, next(), anyFloats))
	compareGemm(t, randomGemm(r, packedRows, 530, 520, next()|transposed, anyFloats))
}

// Bits of randomGemm's flags.
const (
	transposed  = 1 << 1
	accumulated = 1 << 2
	tailed      = 0b11111000
)

// TestGemmsAtOnce computes products that pack side by side: by parts of their
// rows and of their columns.
func TestGemmsAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 0))
	const parts = 3
	for _, path := range fast() {
		onPath(t, path, func() {
			for _, flags := range []int{0, transposed} {
				g := randomGemm(r, parts*packedRows, parts*(packedNumbers/512+5), 512, flags, randoms)
				want := clone(g.C)
				whole := g
				whole.C = want
				whole.Run()
				for _, byRows := range []bool{true, false} {
					clear(g.C)
					var all sync.WaitGroup
					for i := range parts {
						part := g
						if byRows {
							part.M /= parts
							part.A, part.C = g.A[i*part.M*g.ARow:], g.C[i*part.M*g.LDC:]
						} else {
							part.N /= parts
							part.B, part.C = g.B[i*part.N:], g.C[i*part.N:]
						}
						all.Go(part.Run)
					}
					all.Wait()
					if i := firstDifference(want, g.C); i >= 0 {
						t.Fatalf("%s, by rows %t: C[%d] = %x, want %x", path, byRows, i, g.C[i], want[i])
					}
				}
			}
		})
	}
}
