package kernels

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomGemm makes a product of the given size; bits of flags choose the
// transpose of A, wider leading dimensions, and parts of the tail.
func randomGemm(r *rand.Rand, m, n, k int, flags int, draw func(*rand.Rand, int) []float32) Gemm {
	has := func(bit int) bool { return flags>>bit&1 == 1 }
	gap := 0
	if has(0) {
		gap = 1 + r.IntN(3)
	}
	matrix := func(rows, cols int) ([]float32, int) {
		if rows == 0 {
			return []float32{}, cols + gap
		}
		return draw(r, (rows-1)*(cols+gap)+cols), cols + gap
	}
	g := Gemm{M: m, N: n, K: k, Accumulate: has(2), Relu: has(3)}
	if has(1) {
		g.A, g.ACol = matrix(k, m)
		g.ARow = 1
	} else {
		g.A, g.ARow = matrix(m, k)
		g.ACol = 1
	}
	g.B, g.LDB = matrix(k, n)
	g.C, g.LDC = matrix(m, n)
	if has(4) {
		g.Bias = draw(r, n)
	}
	if has(5) {
		g.Mask, g.LDMask = matrix(m, n)
	} else if has(8) {
		g.Mask = draw(r, n) // a row for all rows
	}
	if has(6) {
		g.Masked, g.LDMasked = matrix(m, n)
	} else if has(7) {
		g.Gate, g.LDGate = matrix(m, n)
	}
	return g
}

// fenced copies all slices of g into fences.
func (f *fences) gemm(g Gemm) Gemm {
	g.A, g.B, g.C = f.slice(g.A), f.slice(g.B), f.slice(g.C)
	g.Bias, g.Mask, g.Masked, g.Gate = f.slice(g.Bias), f.slice(g.Mask), f.slice(g.Masked), f.slice(g.Gate)
	return g
}

// compareGemm runs g on all paths and wants the bits of the portable one,
// between numbers of C too.
func compareGemm(t *testing.T, g Gemm) {
	t.Helper()
	want := g
	want.C, want.Masked = slices.Clone(g.C), slices.Clone(g.Masked)
	onPath(t, "portable", want.Run)
	for _, path := range fast() {
		for _, atEnd := range []bool{true, false} {
			got := (&fences{t: t, atEnd: atEnd}).gemm(g)
			onPath(t, path, got.Run)
			if i := firstDifference(want.C, got.C); i >= 0 {
				t.Fatalf("%s: %d×%d×%d: C[%d] = %x, want %x (%s)", path, g.M, g.N, g.K, i, got.C[i], want.C[i], describe(g))
			}
			if i := firstDifference(want.Masked, got.Masked); i >= 0 {
				t.Fatalf("%s: %d×%d×%d: Masked[%d] = %x, want %x (%s)", path, g.M, g.N, g.K, i, got.Masked[i], want.Masked[i], describe(g))
			}
		}
	}
}

func describe(g Gemm) string {
	return fmt.Sprintf("ARow %d ACol %d LDB %d LDC %d accumulate %t relu %t bias %t mask %t masked %t gate %t",
		g.ARow, g.ACol, g.LDB, g.LDC, g.Accumulate, g.Relu, g.Bias != nil, g.Mask != nil, g.Masked != nil, g.Gate != nil)
}

// TestGemmSizes sweeps each dimension from 1 to 130 with the other two from
// a list that meets every shape of panel and tile.
func TestGemmSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	r := rand.New(rand.NewPCG(2, 0))
	flags := 0
	next := func() int { flags = (flags*5 + 3) & 511; return flags } // all 512 in turn
	few := []int{1, 2, 7, 13}
	for x := 1; x <= 130; x++ {
		for _, y := range few {
			for _, z := range []int{1, 5, 16} {
				compareGemm(t, randomGemm(r, y, x, z, next(), randoms))
				compareGemm(t, randomGemm(r, x, y, z, next(), randoms))
				compareGemm(t, randomGemm(r, y, z, x, next(), randoms))
			}
		}
	}
	for range 300 {
		compareGemm(t, randomGemm(r, 1+r.IntN(130), 1+r.IntN(130), r.IntN(131), next(), randoms))
	}
	for _, s := range gemmSizes {
		compareGemm(t, randomGemm(r, s.m, s.n, s.k, s.transposed<<1, randoms))
	}
	for n := 240; n < 700; n += 7 {
		compareGemm(t, randomGemm(r, 3, n, 5, next(), randoms))
	}
	for k := 120; k < 600; k += 23 {
		compareGemm(t, randomGemm(r, 5, 20, k, next(), randoms))
	}
	compareGemm(t, randomGemm(r, 7, 50, 3001, 4, randoms))
	compareGemm(t, randomGemm(r, 7, 1, 3001, 4, randoms))
}

// TestGemmSideColumns sweeps the columns that runLastColumns computes: few,
// behind full vectors or alone, of products with a transposed A.
func TestGemmSideColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	const gap, transposed, accumulate = 1, 2, 4
	for n := 1; n <= 70; n++ {
		for _, m := range []int{31, 32, 50, 64, 65, 130} {
			flags := transposed | []int{0, gap, accumulate, gap | accumulate}[(n+m)%4]
			compareGemm(t, randomGemm(r, m, n, 1+r.IntN(40), flags, anyFloats))
		}
	}
	compareGemm(t, randomGemm(r, 50, 50, 700, transposed|accumulate, randoms))
}

// TestGemmStrides has elements of A that are neighbours in neither direction.
func TestGemmStrides(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 0))
	for m := 1; m <= 13; m++ {
		g := randomGemm(r, m, 1+r.IntN(60), 1+r.IntN(9), m, randoms)
		g.ARow = 2
		g.ACol = 2*m + 1
		g.A = randoms(r, (m-1)*g.ARow+(g.K-1)*g.ACol+1)
		compareGemm(t, g)
	}
}

// TestGemmCarriesSpecials has NaN, infinities, denormals and signed zeros in
// every matrix.
func TestGemmCarriesSpecials(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for i := range 3000 {
		compareGemm(t, randomGemm(r, 1+r.IntN(14), 1+r.IntN(70), r.IntN(20), i, anyFloats))
	}
}

// TestGemmEmpty has sizes of zero: no columns leaves all alone, no products
// leaves the tail to work on zero.
func TestGemmEmpty(t *testing.T) {
	onPaths(t, Implementations(), func(path string) {
		(&Gemm{M: 3, K: 2, A: make([]float32, 6), ARow: 2, ACol: 1}).Run()
		for _, n := range []int{1, 3} {
			g := Gemm{M: 1, N: n, ACol: 1, C: []float32{7, 7, 7}, LDC: 3, LDB: n, Bias: []float32{1, 2, 3}}
			g.Run()
			if g.C[0] != 1 || n == 3 && g.C[2] != 3 {
				t.Errorf("%s: no products and a bias give %v", path, g.C)
			}
		}
	})
}

func TestGemmPanicsOnShortSlices(t *testing.T) {
	ok := randomGemm(rand.New(rand.NewPCG(5, 0)), 4, 5, 6, 0, randoms)
	for name, spoil := range map[string]func(*Gemm){
		"A":      func(g *Gemm) { g.A = g.A[1:] },
		"B":      func(g *Gemm) { g.B = g.B[1:] },
		"C":      func(g *Gemm) { g.C = g.C[1:] },
		"LDC":    func(g *Gemm) { g.LDC = 4 },
		"Bias":   func(g *Gemm) { g.Bias = g.B[:4] },
		"Mask":   func(g *Gemm) { g.Mask, g.LDMask = g.B[:19], 5 },
		"Masked": func(g *Gemm) { g.Masked, g.LDMasked = g.B[:19], 5 },
		"Gate":   func(g *Gemm) { g.Gate, g.LDGate = g.B[:19], 5 },
		"both":   func(g *Gemm) { g.Gate, g.LDGate, g.Masked, g.LDMasked = g.B, 5, g.B, 5 },
		"size":   func(g *Gemm) { g.M = -1 },
	} {
		g := ok
		spoil(&g)
		checkPanic(t, func() { g.Run() }, "%s: no panic", name)
	}
}

// gemmSizes are the products of a training step and of inference.
var gemmSizes = []struct{ m, n, k, transposed int }{
	{100, 50, 13, 0}, {100, 50, 50, 0}, {50, 50, 100, 1}, {13, 50, 100, 1},
	{500, 50, 90, 0}, {500, 50, 50, 0}, {50, 50, 500, 1}, {90, 50, 500, 1},
	{100, 1, 50, 0}, {1, 50, 100, 0}, {1000, 50, 50, 0}, {100, 2, 50, 0}, {1000, 100, 100, 0},
}
