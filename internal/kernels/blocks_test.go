package kernels

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestGemmBlocks computes products whose sizes are at and beside the borders of blocks of rows, of
// terms, of panels, and of packed matrices.
func TestGemmBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	r := rand.New(rand.NewPCG(9, 0))
	flags := 0
	next := func() int { flags = (flags*5 + 3) & 255; return flags }
	for _, m := range []int{1000, 1079, 1080, 1081, 1085} {
		compareGemm(t, randomGemm(r, m, 67, 69, next(), randoms))
		compareGemm(t, randomGemm(r, m, 67, 69, next()|transposed, randoms))
	}
	for _, k := range []int{transposedBlockTerms * 3 / 2, transposedBlockTerms*3/2 + 1, blockTerms * 3 / 2, blockTerms*3/2 + 1, 2*blockTerms + 1, 3*blockTerms + 7} {
		for _, m := range []int{7, blockRows + 1} {
			compareGemm(t, randomGemm(r, m, 50, k, next(), randoms))
			compareGemm(t, randomGemm(r, m, 50, k, next()|transposed, randoms))
		}
	}
	for _, s := range []struct{ m, n, k int }{
		{199, 512, 512},
		{200, 512, 512},
		{201, 577, 515},
		{2*blockRows + 5, maxPackedSide + 1, 257},
		{5 * blockRows, 257, maxPackedSide + 1},
		{243, 130, 2*maxPackedSide + 9},
		{100, 66, 16 * maxPackedSide},
		{100, 16*maxPackedSide + 3, 64},
		{513, 67, 500},
		{514, 65, 2049},
	} {
		compareGemm(t, randomGemm(r, s.m, s.n, s.k, next()&^transposed, randoms))
		compareGemm(t, randomGemm(r, s.m, s.n, s.k, next()|transposed, randoms))
		compareGemm(t, randomGemm(r, s.m, s.n, s.k, transposed|accumulated, randoms))
	}
	compareGemm(t, randomGemm(r, 200, 530, 520, next(), anyFloats))
	compareGemm(t, randomGemm(r, 540, 530, 520, next()|transposed, anyFloats))
}

// Bits of randomGemm's flags.
const (
	transposed  = 1 << 1
	accumulated = 1 << 2
)

// TestGemmsAtOnce computes products that pack side by side: by parts of their
// rows and of their columns.
func TestGemmsAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 0))
	const parts = 3
	onPaths(t, fast(), func(path string) {
		for _, flags := range []int{0, transposed} {
			g := randomGemm(r, parts*200, parts*517, 512, flags, randoms)
			want := slices.Clone(g.C)
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
