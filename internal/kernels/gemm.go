package kernels

import (
	"math"
)

// Gemm is a matrix product of small matrices with a tail of elementwise
// work, done while the product is still in registers:
//
//	v[i,j] = Σ_p A[i,p]·B[p,j]            (C[i,j] + Σ if Accumulate)
//	v += Bias[j]                          if Bias
//	v = 0 if v < 0                        if Relu (NaN and −0 stay)
//	C = v, and go on with Masked          if Masked
//	v *= Mask[i,j]                        if Mask
//	v = v if Gate[i,j] > 0, else 0        if Gate
//
// The sum is a chain of fma over ascending p that starts at 0 or at C. There
// is one exception, so that products with a vector are fast too: where N and
// ACol are 1, the sum is that of Dot with 16 lanes in place of 64, and C, or
// 0, is added to it.
//
// Slices may be longer than needed. Matrices other than A, B and C are absent
// where nil. Nothing may overlap C or Masked.
type Gemm struct {
	M, N, K int

	A          []float32
	ARow, ACol int // A[i,p] is A[i*ARow+p*ACol]; a transposed matrix has ARow 1

	B   []float32
	LDB int // B[p,j] is B[p*LDB+j]

	C          []float32
	LDC        int
	Accumulate bool // C += A·B

	Bias []float32 // N numbers
	Relu bool

	Mask   []float32 // M×N
	LDMask int

	Masked   []float32 // M×N; when set, C gets v before the mask and Masked gets it after
	LDMasked int

	Gate   []float32 // M×N; not together with Masked
	LDGate int
}

// Run computes the product.
func (g *Gemm) Run() {
	g.check()
	if g.M == 0 || g.N == 0 {
		return
	}
	if g.N == 1 && g.ACol == 1 {
		g.vector()
		return
	}
	if active == inGo {
		g.portable()
		return
	}
	t := g.tile()
	if left := g.N % 16; g.ARow == 1 && g.hasNoTail() && 0 < left && left <= sides && g.M >= 32 && g.K > 0 {
		if t.n -= left; t.n > 0 {
			t.run()
		}
		g.side(left)
		return
	}
	t.run()
}

// hasNoTail reports whether no work follows the sum.
func (g *Gemm) hasNoTail() bool {
	return g.Bias == nil && !g.Relu && g.Mask == nil && g.Masked == nil && g.Gate == nil
}

// sides is the maximum number of columns after the last full vector, if A is transposed, to
// compute separately: as rows of the transposed product, whose vectors run along the contiguous
// columns of A. With AVX-512, a weight's gradient of 50 columns then needs 3 vectors in each row,
// not 4, and a gradient of 50 rows and 2 columns needs 8 vectors in all, not 50.
const sides = 4

// side computes the last columns of C, 64 rows at a time.
func (g *Gemm) side(columns int) {
	const width = 64
	var c [sides * width]float32
	from := g.N - columns
	for i := 0; i < g.M; i += width {
		m := min(width, g.M-i)
		t := tile{
			a: &g.B[from], b: &g.A[i], c: &c[0],
			m: columns, n: m, k: g.K,
			aRow: 4, aCol: 4 * g.LDB, ldb: 4 * g.ACol, ldc: 4 * width,
		}
		if g.Accumulate {
			t.accumulate = 1
			for j := range columns {
				column := g.C[i*g.LDC+from+j:]
				for r := range m {
					c[j*width+r] = column[r*g.LDC]
				}
			}
		}
		t.run()
		for j := range columns {
			column := g.C[i*g.LDC+from+j:]
			for r, v := range c[j*width:][:m] {
				column[r*g.LDC] = v
			}
		}
	}
}

// check panics if a slice is too short for its matrix.
func (g *Gemm) check() {
	m, n, k := g.M, g.N, g.K
	if m < 0 || n < 0 || k < 0 {
		panic("kernels: Gemm: negative size")
	}
	if m == 0 || n == 0 {
		return
	}
	if k > 0 {
		if g.ARow < 0 || g.ACol < 0 || len(g.A) < (m-1)*g.ARow+(k-1)*g.ACol+1 {
			panic("kernels: Gemm: A is shorter than M rows of K columns")
		}
		checkSize(g.B, k, n, g.LDB, "kernels: Gemm: B is shorter than K rows of N columns, or LDB < N")
	}
	checkSize(g.C, m, n, g.LDC, "kernels: Gemm: C is shorter than M rows of N columns, or LDC < N")
	if g.Bias != nil && len(g.Bias) < n {
		panic("kernels: Gemm: Bias is shorter than N")
	}
	if g.Mask != nil {
		checkSize(g.Mask, m, n, g.LDMask, "kernels: Gemm: Mask is shorter than M rows of N columns, or LDMask < N")
	}
	if g.Masked != nil {
		checkSize(g.Masked, m, n, g.LDMasked, "kernels: Gemm: Masked is shorter than M rows of N columns, or LDMasked < N")
		if g.Gate != nil {
			panic("kernels: Gemm: Masked and Gate together")
		}
	}
	if g.Gate != nil {
		checkSize(g.Gate, m, n, g.LDGate, "kernels: Gemm: Gate is shorter than M rows of N columns, or LDGate < N")
	}
}

// checkSize panics unless x holds rows×cols numbers, rows ld apart.
func checkSize(x []float32, rows, cols, ld int, message string) {
	if ld < cols && rows > 1 || len(x) < (rows-1)*ld+cols {
		panic(message)
	}
}

// tile is Gemm as the assembly reads it: addresses (nil where absent), and
// distances in bytes. gen/gemm.go knows the order of its fields.
type tile struct {
	a, b, c                  *float32
	bias, mask, masked, gate *float32
	m, n, k                  int
	aRow, aCol, ldb, ldc     int
	ldMask, ldMasked, ldGate int
	accumulate, relu         int
}

func (g *Gemm) tile() tile {
	t := tile{
		m: g.M, n: g.N, k: g.K,
		aRow: 4 * g.ARow, aCol: 4 * g.ACol, ldb: 4 * g.LDB, ldc: 4 * g.LDC,
		ldMask: 4 * g.LDMask, ldMasked: 4 * g.LDMasked, ldGate: 4 * g.LDGate,
		c: addressOf(g.C), bias: addressOf(g.Bias), mask: addressOf(g.Mask), masked: addressOf(g.Masked), gate: addressOf(g.Gate),
		a: addressOf(g.A), b: addressOf(g.B),
	}
	if g.Accumulate {
		t.accumulate = 1
	}
	if g.Relu {
		t.relu = 1
	}
	return t
}

// addressOf returns the address of a slice's first number, nil for an empty slice.
func addressOf(x []float32) *float32 {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// portable is the definition of the product.
func (g *Gemm) portable() {
	for i := range g.M {
		c := g.C[i*g.LDC:][:g.N]
		if !g.Accumulate {
			clear(c)
		}
		for p := range g.K {
			axpy(c, g.A[i*g.ARow+p*g.ACol], g.B[p*g.LDB:][:g.N])
		}
		g.tail(i)
	}
}

// axpy sets c[j] = fma(s, b[j], c[j]), with the usual case of fma written out.
func axpy(c []float32, s float32, b []float32) {
	a := float64(s)
	for j, x := range b[:len(c)] {
		v := float64(a*float64(x)) + float64(c[j])
		if math.Float64bits(v)<<36 == 0 {
			c[j] = fmaTie(s, x, c[j])
		} else {
			c[j] = float32(v)
		}
	}
}

// tail applies the elementwise work after the sum to row i of C, in place.
func (g *Gemm) tail(i int) {
	for j := range g.N {
		v := g.C[i*g.LDC+j]
		if g.Bias != nil {
			v += g.Bias[j]
		}
		if g.Relu && v < 0 {
			v = 0
		}
		out := &g.C[i*g.LDC+j]
		if g.Masked != nil {
			*out = v
			out = &g.Masked[i*g.LDMasked+j]
		}
		if g.Mask != nil {
			v *= g.Mask[i*g.LDMask+j]
		}
		if g.Gate != nil && !(g.Gate[i*g.LDGate+j] > 0) {
			v = 0
		}
		*out = v
	}
}
