// Package linear solves small systems of linear equations, for ridge regressions, and finds eigenvalues, for Laplace
// approximations. Every sum has one order, and products are rounded before they are added, so that results are the
// same on every CPU.
package linear

import (
	"math"
	"slices"
)

// Dot returns the sum of the products of two vectors of the same length, in four partial sums, which is
// faster.
func Dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// AddScaled adds factor·v to dst, which has the same length.
func AddScaled(dst []float64, factor float64, v []float64) {
	for i, x := range v {
		dst[i] += float64(factor * x)
	}
}

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, columns int) [][]float64 {
	matrix := make([][]float64, rows)
	for i := range matrix {
		matrix[i] = make([]float64, columns)
	}
	return matrix
}

// Cholesky is a lower triangular matrix L; L Lᵀ is the matrix that NewCholesky was called with.
type Cholesky [][]float64

// NewCholesky returns the Cholesky factor of a symmetric positive definite matrix. It reads and
// overwrites its lower triangle. A pivot that rounding made smaller than possible becomes tiny.
func NewCholesky(matrix [][]float64) Cholesky {
	const minPivot = 1e-12
	for i, row := range matrix {
		for j := range i {
			row[j] = (row[j] - Dot(row[:j], matrix[j][:j])) / matrix[j][j]
		}
		row[i] = math.Sqrt(max(minPivot, row[i]-Dot(row[:i], row[:i])))
	}
	return matrix
}

// Solve returns the solution x of L Lᵀ x = right.
func (l Cholesky) Solve(right []float64) []float64 {
	x := l.SolveLower(right)
	for i := len(x) - 1; i >= 0; i-- {
		x[i] /= l[i][i]
		for j := range i {
			x[j] -= float64(l[i][j] * x[i])
		}
	}
	return x
}

// SolveLower returns the solution x of L x = right.
func (l Cholesky) SolveLower(right []float64) []float64 {
	x := slices.Clone(right)
	for i := range x {
		x[i] = (x[i] - Dot(l[i][:i], x[:i])) / l[i][i]
	}
	return x
}

// InverseTrace returns the trace of (L Lᵀ)⁻¹: the sum of the squares of the elements of L⁻¹.
func (l Cholesky) InverseTrace() float64 {
	trace := 0.0
	column := make([]float64, len(l)) // column of L⁻¹, from its diagonal on
	for first := range l {
		for i := first; i < len(l); i++ {
			right := 0.0
			if i == first {
				right = 1
			}
			column[i] = (right - Dot(l[i][first:i], column[first:i])) / l[i][i]
		}
		trace += Dot(column[first:], column[first:])
	}
	return trace
}
