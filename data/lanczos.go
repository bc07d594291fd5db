package data

import (
	"context"
	"math"
	"slices"
)

// The functions of this file write float64(x*y) + z: the conversion rounds the product, so that no
// compiler fuses it with the sum and all CPUs compute the same bits.

// unitRoundoff is half the distance from 1 to the next float64.
const unitRoundoff = 0x1p-53

// leadingEigenvector returns the eigenvector, of norm 1, of the largest eigenvalue of a symmetric
// n×n matrix without negative eigenvalues. multiply sets dst to matrix·v. If several eigenvalues
// are equally large, the result is one of their eigenvectors, the same in every call. ok is false
// if a number is not finite or if ctx has ended.
//
// The method is Lanczos iteration with full reorthogonalisation (Parlett, The Symmetric Eigenvalue
// Problem, chapter 13): it extends an orthonormal basis of v, matrix·v, matrix²·v, … until the
// leading eigenvector within the basis is an eigenvector of the matrix up to rounding.
func leadingEigenvector(ctx context.Context, n int, multiply func(dst, v []float64)) (vector []float64, ok bool) {
	var basis [][]float64
	var matrix tridiagonal // the matrix in terms of the basis
	v := startVector(n)
	for ctx.Err() == nil {
		basis = append(basis, v)
		next := make([]float64, n)
		multiply(next, v)
		matrix.diagonal = append(matrix.diagonal, dot(v, next))
		orthogonalise(next, basis)
		norm := math.Sqrt(dot(next, next))

		value, coordinates := matrix.leadingEigenpair()
		if math.IsNaN(value+norm) || math.IsInf(value+norm, 0) {
			return nil, false
		}
		residual := norm * math.Abs(coordinates[len(coordinates)-1])
		if residual <= unitRoundoff*value || norm == 0 || len(basis) == n {
			return combine(basis, coordinates), true
		}
		scaleVector(next, 1/norm)
		matrix.offDiagonal = append(matrix.offDiagonal, norm)
		v = next
	}
	return nil, false
}

// orthogonalise subtracts from v its projections on the vectors of an orthonormal basis. It does so
// twice, as rounding leaves small projections the first time.
func orthogonalise(v []float64, basis [][]float64) {
	for range 2 {
		for _, b := range basis {
			addScaled(v, -dot(b, v), b)
		}
	}
}

// combine returns the vector of norm 1 with the given coordinates in the basis.
func combine(basis [][]float64, coordinates []float64) []float64 {
	vector := make([]float64, len(basis[0]))
	for i, b := range basis {
		addScaled(vector, coordinates[i], b)
	}
	normalise(vector)
	return vector
}

// startVector returns a vector of norm 1 without a pattern that data could be orthogonal to. Before
// scaling, its elements lie between 1 and 2, spread by the golden ratio, with signs from another
// irrational number.
func startVector(n int) []float64 {
	const (
		goldenRatio = 0x9E3779B97F4A7C15 // (√5−1)/2 as a fraction of 2⁶⁴
		rootOfHalf  = 0xB504F333F9DE6485 // √½ as a fraction of 2⁶⁴
	)
	v := make([]float64, n)
	for i := range v {
		k := uint64(i) + 1
		v[i] = 1 + float64(float64(k*goldenRatio>>11)/(1<<53))
		if k*rootOfHalf>>63 == 1 {
			v[i] = -v[i]
		}
	}
	normalise(v)
	return v
}

// tridiagonal is a symmetric matrix with zeros outside of the diagonal and its two neighbours.
type tridiagonal struct {
	diagonal    []float64
	offDiagonal []float64 // element i is in row i, column i+1, and in row i+1, column i
}

// leadingEigenpair returns the largest eigenvalue and its eigenvector of norm 1. The eigenvalue is
// NaN if a number is not finite.
func (m tridiagonal) leadingEigenpair() (value float64, vector []float64) {
	pivots := make([]float64, len(m.diagonal))
	value = m.largestEigenvalue(pivots)
	if !m.isNegativeDefinite(value, pivots) {
		return math.NaN(), make([]float64, len(m.diagonal))
	}
	return value, m.eigenvector(value, pivots)
}

// largestEigenvalue returns the least number t for which matrix − t is negative definite. It finds
// t by bisection. pivots is scratch memory.
func (m tridiagonal) largestEigenvalue(pivots []float64) float64 {
	low, high := m.eigenvalueBounds()
	// The bound itself may be the eigenvalue; the next larger numbers cannot be.
	for !m.isNegativeDefinite(high, pivots) && !math.IsInf(high, 0) && !math.IsNaN(high) {
		high = math.Nextafter(high+float64(math.Abs(high)*0x1p-50), math.Inf(1))
	}
	for {
		middle := low + float64((high-low)/2)
		if !(low < middle && middle < high) {
			return high
		}
		if m.isNegativeDefinite(middle, pivots) {
			high = middle
		} else {
			low = middle
		}
	}
}

// eigenvalueBounds returns two numbers with the largest eigenvalue between them: the largest
// element of the diagonal, and Gershgorin's upper bound.
func (m tridiagonal) eigenvalueBounds() (low, high float64) {
	beside := slices.Concat([]float64{0}, m.offDiagonal, []float64{0}) // elements i and i+1 are beside diagonal element i
	low, high = math.Inf(-1), math.Inf(-1)
	for i, a := range m.diagonal {
		low = max(low, a)
		high = max(high, a+beside[i]+beside[i+1])
	}
	return low, high
}

// isNegativeDefinite reports whether matrix − t is negative definite, and then sets pivots to the
// pivots of its triangular factors, from the first row to the last. All of them are negative.
func (m tridiagonal) isNegativeDefinite(t float64, pivots []float64) bool {
	for i, a := range m.diagonal {
		pivots[i] = a - t
		if i > 0 {
			b := m.offDiagonal[i-1]
			pivots[i] -= float64(b*b) / pivots[i-1]
		}
		if !(pivots[i] < 0) {
			return false
		}
	}
	return true
}

// eigenvector returns the eigenvector of norm 1 for the largest eigenvalue. forward are the pivots
// of matrix − value from the first row to the last.
//
// Pivots from the first row and from the last row are computed; the row in which they agree best
// has the vector's largest element, from which the other elements follow (Parlett and Dhillon
// 1997, Fernando's solution to Wilkinson's problem).
func (m tridiagonal) eigenvector(value float64, forward []float64) []float64 {
	n := len(m.diagonal)
	backward := m.backwardPivots(value)
	largest := m.indexOfLargest(value, forward, backward)
	vector := make([]float64, n)
	vector[largest] = 1
	for i := largest; i > 0; i-- {
		vector[i-1] = -float64(m.offDiagonal[i-1]*vector[i]) / forward[i-1]
	}
	for i := largest; i < n-1; i++ {
		vector[i+1] = -float64(m.offDiagonal[i]*vector[i]) / backward[i+1]
	}
	normalise(vector)
	return vector
}

// backwardPivots returns the pivots of matrix − value from the last row to the first.
func (m tridiagonal) backwardPivots(value float64) []float64 {
	const smallestNormal = 0x1p-1022
	n := len(m.diagonal)
	pivots := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		pivots[i] = m.diagonal[i] - value
		if i < n-1 {
			b := m.offDiagonal[i]
			pivots[i] -= float64(b*b) / pivots[i+1]
		}
		pivots[i] = min(pivots[i], -smallestNormal) // rounding may have made it 0 or more
	}
	return pivots
}

// indexOfLargest returns the index of the eigenvector's largest element: the first row in which
// forward and backward elimination leave the smallest pivot.
func (m tridiagonal) indexOfLargest(value float64, forward, backward []float64) int {
	index := 0
	smallest := math.Inf(1)
	for i, a := range m.diagonal {
		pivot := math.Abs(forward[i] + backward[i] - (a - value))
		if pivot < smallest {
			index, smallest = i, pivot
		}
	}
	return index
}

// dot returns the inner product of two vectors of equal length. It adds in four sums, which are
// added at the end.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
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

// addScaled adds factor·v to dst.
func addScaled(dst []float64, factor float64, v []float64) {
	dst = dst[:len(v)]
	for i, x := range v {
		dst[i] += float64(factor * x)
	}
}

// normalise divides a vector by its Euclidean norm.
func normalise(v []float64) {
	scaleVector(v, 1/math.Sqrt(dot(v, v)))
}

// scaleVector multiplies a vector by a factor.
func scaleVector(v []float64, factor float64) {
	for i := range v {
		v[i] = float64(v[i] * factor)
	}
}
