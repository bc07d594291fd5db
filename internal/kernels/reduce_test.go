package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestReductionsOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, n := range lengths() {
		for _, draw := range []func(*rand.Rand, int) []float32{randoms, anyFloats} {
			m := 1 + r.IntN(4)
			a := draw(r, n)
			matrix, dst := draw(r, m*n), draw(r, max(m, n))
			comparePaths(t, "Sum", func(x [][]float32) { x[1][0] = Sum(x[0]) }, a, []float32{0})
			comparePaths(t, "SumCols", func(x [][]float32) { SumCols(x[0][:m], x[1], m, n) }, dst, matrix)
			comparePaths(t, "SumRows", func(x [][]float32) { SumRows(x[0][:n], x[1], m, n, false) }, dst, matrix)
			comparePaths(t, "SumRows", func(x [][]float32) { SumRows(x[0][:n], x[1], m, n, true) }, dst, matrix)
		}
	}
}

// TestSums compares with sums in float64. A chain of k rounded additions errs
// by at most k·2⁻²⁴·Σ|a|, to first order; 64 lanes and a tree of 6 have
// chains of n/64 + 7.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for _, n := range lengths() {
		a := randoms(r, n)
		sum, size := 0.0, 0.0
		for _, x := range a {
			sum, size = sum+float64(x), size+math.Abs(float64(x))
		}
		k := float64(n/64+8) / (1 << 24)
		if got := float64(Sum(a)); math.Abs(got-sum) > k*size {
			t.Errorf("Sum of %d: %v, want %v", n, got, sum)
		}
	}
	got := []float32{7, 7, 7}
	if SumCols(got, nil, 3, 0); got[0] != 0 || got[2] != 0 {
		t.Errorf("sums of nothing are %v", got)
	}
}
