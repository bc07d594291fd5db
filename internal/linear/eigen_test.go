package linear

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The eigenvalues of the second difference, with 2 on the diagonal and −1 beside it, are 2 − 2 cos(πk/(n+1)), and
// those of {{2, 1}, {1, 2}} are 1 and 3. Source: Strang 2007, Computational Science and Engineering, section 1.5.
func TestEigenvalues(t *testing.T) {
	values, _, err := Eigen([][]float64{{2, 1}, {1, 2}})
	if slices.Sort(values); err != nil || math.Abs(values[0]-1) > 1e-15 || math.Abs(values[1]-3) > 1e-15 {
		t.Errorf("the eigenvalues are %v, %v; want 1 and 3", values, err)
	}
	const n = 50
	matrix := NewMatrix(n, n)
	for i := range matrix {
		matrix[i][i] = 2
		if i > 0 {
			matrix[i][i-1], matrix[i-1][i] = -1, -1
		}
	}
	values, _, err = Eigen(matrix)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(values)
	for k, got := range values {
		if want := 2 - 2*math.Cos(math.Pi*float64(k+1)/(n+1)); math.Abs(got-want) > 1e-14 {
			t.Errorf("eigenvalue %d is %v; want %v", k, got, want)
		}
	}
}

// The vectors have the norm 1, are orthogonal, and the matrix stretches each by its value, whatever the rank is.
func TestEigenvectors(t *testing.T) {
	for _, size := range []struct{ n, rank int }{{1, 1}, {2, 1}, {3, 3}, {8, 0}, {30, 30}, {60, 7}, {101, 101}} {
		t.Run(fmt.Sprintf("%d of rank %d", size.n, size.rank), func(t *testing.T) {
			matrix := randomGram(size.n, size.rank)
			copied := NewMatrix(size.n, size.n)
			for i, row := range matrix {
				copy(copied[i], row)
			}
			values, vectors, err := Eigen(copied)
			if err != nil {
				t.Fatal(err)
			}
			checkEigen(t, matrix, values, vectors)
		})
	}
}

// randomGram returns a symmetric n×n matrix of the given rank without negative eigenvalues.
func randomGram(n, rank int) [][]float64 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	matrix := NewMatrix(n, n)
	v := make([]float64, n)
	for range rank {
		for i := range v {
			v[i] = r.NormFloat64()
		}
		for i, row := range matrix {
			for j := range row {
				row[j] += v[i] * v[j]
			}
		}
	}
	return matrix
}

// checkEigen fails the test unless the vectors are orthonormal eigenvectors of the matrix, up to rounding.
func checkEigen(t *testing.T, matrix [][]float64, values []float64, vectors [][]float64) {
	t.Helper()
	largest := max(largestElement(matrix), 1)
	n := float64(len(matrix))
	for i, v := range vectors {
		for j, w := range vectors {
			want := 0.0
			if i == j {
				want = 1
			}
			if got := Dot(v, w); math.Abs(got-want) > 1e-14*n {
				t.Fatalf("the product of vectors %d and %d is %v; want %v", i, j, got, want)
			}
		}
		for j, row := range matrix {
			if got, want := Dot(row, v), values[i]*v[j]; math.Abs(got-want) > 1e-14*largest*n {
				t.Fatalf("element %d of the matrix times vector %d is %v; want %v", j, i, got, want)
			}
		}
	}
}

// A number that is not finite is an error, and no endless loop.
func TestEigenOfInfinity(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		matrix := randomGram(5, 5)
		matrix[2][3], matrix[3][2] = v, v
		if _, _, err := Eigen(matrix); !errors.Is(err, errEigen) {
			t.Errorf("%v: %v; want errEigen", v, err)
		}
	}
}
