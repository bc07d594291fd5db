package kernels

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
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
