package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// hardNumbers are draws of numbers that are hard for panels, by name. Each is for all matrices of a
// product.
var hardNumbers = map[string]func(r *rand.Rand) float32{
	"normal": func(r *rand.Rand) float32 { return float32(r.NormFloat64()) },
	"any":    anyFloat,
	"zeros": func(r *rand.Rand) float32 { // zeros of both signs, as gradients have
		x := float32(r.NormFloat64())
		switch r.IntN(4) {
		case 0:
			return 0
		case 1:
			return float32(math.Copysign(0, float64(x)))
		}
		return x
	},
	"mostly zeros": func(r *rand.Rand) float32 {
		signs := []float32{0, float32(math.Copysign(0, -1)), 1, -1}
		return signs[r.IntN(2+r.IntN(3))]
	},
	"integers": func(r *rand.Rand) float32 { return float32(r.IntN(1<<13) - 1<<12) },
	"powers":   func(r *rand.Rand) float32 { return float32(math.Ldexp(float64(1-2*r.IntN(2)), r.IntN(150)-75)) },
	"ties": func(r *rand.Rand) float32 { // (1 + 2⁻¹²)² is a tie, and so is 2²⁴ + 1: tiny numbers decide it
		parts := []float64{1 + 1.0/(1<<12), 1, 1 << 12, 0x1p-40, 0x1p-80}
		return float32(parts[r.IntN(len(parts))] * float64(1-2*r.IntN(2)))
	},
	"tiny": func(r *rand.Rand) float32 { // products on both sides of what canSkip accepts
		return float32(math.Ldexp(r.NormFloat64(), -40-r.IntN(30)))
	},
	"denormal": func(r *rand.Rand) float32 {
		if r.IntN(2) == 0 {
			return math.Float32frombits(r.Uint32() & 0x807FFFFF)
		}
		return float32(r.NormFloat64())
	},
	"huge": func(r *rand.Rand) float32 { return float32(math.Ldexp(r.NormFloat64(), 50+r.IntN(16))) },
	"infinite": func(r *rand.Rand) float32 {
		if r.IntN(40) == 0 {
			return float32(math.Inf(1 - 2*r.IntN(2)))
		}
		return float32(r.IntN(3))
	},
	"one NaN": func(r *rand.Rand) float32 {
		if r.IntN(100) == 0 {
			return float32(math.NaN())
		}
		return float32(r.IntN(3))
	},
}

// TestPanelsAreExact compares products in portable Go, of panels and smaller ones, with sums of exact arithmetic that are
// rounded after each term.
func TestPanelsAreExact(t *testing.T) {
	products := 120
	if testing.Short() {
		products = 15
	}
	for name, draw := range hardNumbers {
		r := rand.New(rand.NewPCG(11, 0))
		draws := func(r *rand.Rand, n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = draw(r)
			}
			return x
		}
		for flags := range products {
			rows, columns, terms := minPanelRows, minPanelColumns, minPanelTerms
			if flags >= products/2 {
				rows, columns, terms = 1, 2, 0 // one column is added up in another order
			}
			g := randomGemm(r, rows+r.IntN(5), columns+r.IntN(20), terms+r.IntN(9), flags&0b111, draws)
			want := slices.Clone(g.C)
			addExactly(want, g)
			onPath(t, "portable", g.Run)
			if i := firstDifference(g.C, want); i >= 0 {
				t.Fatalf("%s, %d×%d×%d: C[%d] = %x, want %x (%s)", name, g.M, g.N, g.K, i, g.C[i], want[i], describe(g))
			}
		}
	}
}

// TestPanelsWithTinySums has a row worked by hand. Its second sum is −2⁻¹⁵⁰, which rounds to −0, and
// its third adds 0·1, which makes it 0. Without the third term, it would stay −0.
func TestPanelsWithTinySums(t *testing.T) {
	g := Gemm{M: minPanelRows, N: minPanelColumns, K: 4, ARow: 4, ACol: 1, LDB: minPanelColumns, LDC: minPanelColumns}
	for range g.M {
		g.A = append(g.A, 1+0x1p-22, -1-0x1p-23, 0, 0)
	}
	for _, b := range []float32{0x1p-104, 0x1p-104 * (1 + 0x1p-23), 1, 1} {
		for range g.N {
			g.B = append(g.B, b)
		}
	}
	g.C = make([]float32, g.M*g.N)
	onPath(t, "portable", g.Run)
	for i, x := range g.C {
		if !sameBits(x, 0) {
			t.Errorf("C[%d] = %x, want 0", i, x)
		}
	}
}

// addExactly computes the elements of g.C, by bigFMA, in c.
func addExactly(c []float32, g Gemm) {
	for i := range g.M {
		for j := range g.N {
			sum := &c[i*g.LDC+j]
			if !g.Accumulate {
				*sum = 0
			}
			for p := range g.K {
				*sum = bigFMA(g.A[i*g.ARow+p*g.ACol], g.B[p*g.LDB+j], *sum)
			}
		}
	}
}

// TestPartsOfPanels compares products of several parts with addRow.
func TestPartsOfPanels(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 0))
	for i, s := range []struct{ m, n, k int }{
		{5, 50, 2*maxPanelTerms + 1},
		{5, maxPackedB/maxPanelTerms + 1, maxPanelTerms},
		{7, maxPackedB/minPanelTerms + 3, minPanelTerms},
		{60, 7, 300},
	} {
		g := randomGemm(r, s.m, s.n, s.k, i%8, randoms)
		g.Accumulate = true
		want := g
		want.C = slices.Clone(g.C)
		for row := range want.M {
			want.addRow(row, 0, want.N)
		}
		onPath(t, "portable", g.Run)
		if i := firstDifference(g.C, want.C); i >= 0 {
			t.Errorf("%d×%d×%d: C[%d] = %x, want %x", s.m, s.n, s.k, i, g.C[i], want.C[i])
		}
	}
}

// TestPanelsAreUsed checks that rows of usual numbers need no addRow, whether or not their products
// have zeros.
func TestPanelsAreUsed(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	for _, name := range []string{"normal", "zeros"} {
		g := randomGemm(r, 6, 50, 40, 0, func(r *rand.Rand, n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = hardNumbers[name](r)
			}
			return x
		})
		b := g.pack(make([]panelRow, g.K*panelsFor(g.N)))
		var terms [maxPanelTerms]panelTerm
		for i := range g.M {
			n, smallest := g.nonzeroTerms(&terms, i)
			if !b.canSkip(smallest) {
				t.Errorf("%s: row %d is left to addRow", name, i)
			}
			if !addPanel(g.C[i*g.LDC:][:panelColumns], terms[:n], b.values[:g.K]) {
				t.Errorf("%s: the first panel of row %d is left to addRow", name, i)
			}
		}
	}
}
