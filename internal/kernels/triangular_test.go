package kernels

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// definiteMatrix returns the product of a random matrix [n n] with its transpose, plus the
// identity.
func definiteMatrix[T float32 | float64](r *rand.Rand, n int) []T {
	x := make([]float64, n*n)
	for i := range x {
		x[i] = r.Float64() - 0.5
	}
	a := make([]T, n*n)
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range n {
				sum += float64(x[i*n+k] * x[j*n+k])
			}
			if i == j {
				sum++
			}
			a[i*n+j] = T(sum)
		}
	}
	return a
}

// The factor times its transpose is the matrix, up to rounding.
func TestCholeskyProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 3, 4, 5, 8, 17, 40} {
		testCholeskyProduct(t, definiteMatrix[float64](r, n), n, 1e-14)
		testCholeskyProduct(t, definiteMatrix[float32](r, n), n, 1e-6)
	}
}

func testCholeskyProduct[T float32 | float64](t *testing.T, a []T, n int, tolerance float64) {
	t.Helper()
	l := make([]T, n*n)
	if order := Cholesky(l, a, n); order != 0 {
		t.Fatalf("the leading block of order %d of %d has no factor", order, n)
	}
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range n {
				sum += float64(l[i*n+k]) * float64(l[j*n+k])
			}
			size := math.Sqrt(float64(a[i*n+i]) * float64(a[j*n+j]))
			if !(math.Abs(sum-float64(a[i*n+j])) <= tolerance*size) {
				t.Errorf("%T, n = %d: element (%d, %d) is %v, want %v", a, n, i, j, sum, a[i*n+j])
			}
			if j > i && l[i*n+j] != 0 {
				t.Errorf("element (%d, %d) of the factor is %v", i, j, l[i*n+j])
			}
		}
	}
}

// The smallest leading block without a factor is reported, and nothing finite is left.
func TestCholeskyOrder(t *testing.T) {
	for order := 1; order <= 3; order++ {
		a := []float32{2, 0, 0, 0, 2, 0, 0, 0, 2}
		a[4*(order-1)] = 0
		l := make([]float32, 9)
		if got := Cholesky(l, a, 3); got != order {
			t.Errorf("order %d, want %d", got, order)
		}
		for i, v := range l {
			if v == v {
				t.Errorf("order %d: element %d is %v, want NaN", order, i, v)
			}
		}
	}
}

// Any division of the right-hand maxLastColumns gives the same bits, and so does solving for each alone.
func TestTriangularParts(t *testing.T) {
	const n, m = 9, 23
	r := rand.New(rand.NewPCG(2, 1))
	a, b := definiteMatrix[float32](r, n), randoms(r, n*m)
	for _, upper := range []bool{false, true} {
		whole := Triangular[float32]{N: n, M: m, Upper: upper, T: a, B: b, X: make([]float32, n*m)}
		whole.Solve(0, m)
		for _, width := range []int{1, 3, 5, 8} {
			parts := whole
			parts.X = make([]float32, n*m)
			for from := 0; from < m; from += width {
				parts.Solve(from, min(from+width, m))
			}
			if i := firstDifference(whole.X, parts.X); i >= 0 {
				t.Errorf("upper %v, %d columns at a time: number %d is %v, want %v", upper, width, i, parts.X[i], whole.X[i])
			}
		}
	}
}

// TestTriangularBits holds a digest of factors and solutions, which was found on amd64, against
// the digest on every other CPU.
func TestTriangularBits(t *testing.T) {
	const want = 0xe345b1d8383f9c19
	h := fnv.New64a()
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{1, 3, 8, 21} {
		addTriangularBits(h, definiteMatrix[float64](r, n), n)
		addTriangularBits(h, definiteMatrix[float32](r, n), n)
	}
	if got := h.Sum64(); got != want {
		t.Errorf("digest %#x, want %#x", got, uint64(want))
	}
}

// addTriangularBits adds the factor of a matrix [n n], and solutions with the factor and with
// its upper triangle, to a digest.
func addTriangularBits[T float32 | float64](h hash.Hash, a []T, n int) {
	l, x := make([]T, n*n), make([]T, n*n)
	Cholesky(l, a, n)
	add := func(values []T) {
		for _, v := range values {
			binary.Write(h, binary.LittleEndian, v)
		}
	}
	add(l)
	for _, s := range []Triangular[T]{{T: l}, {T: a, Upper: true}} {
		s.N, s.M, s.B, s.X = n, n, a, x
		s.Solve(0, n)
		add(x)
	}
}
