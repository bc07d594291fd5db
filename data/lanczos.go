package data

import (
	"context"
	"math"
	"slices"

	"sml/internal/linear"
)

// The functions of this file write float64(x*y) + z: the conversion rounds the product, so that no
// compiler fuses it with the sum and all CPUs compute the same bits.

// unitRoundoff is half the distance from 1 to the next float64: the largest relative error of one
// rounded operation.
const unitRoundoff = 0x1p-53

// leadingEigenvector returns the eigenvector, of norm 1, of the largest eigenvalue of a symmetric
// n×n matrix without negative eigenvalues. multiply sets dst to matrix·v. If several eigenvalues
// are equally large, the result is one of their eigenvectors, the same in every call. ok is false
// if a number is not finite or if ctx has ended.
//
// The method is Lanczos iteration with full reorthogonalisation (Parlett, The Symmetric Eigenvalue
// Problem, chapter 13). It extends an orthonormal basis of v, matrix·v, matrix²·v, … by one vector at
// a time. In terms of this basis the matrix is tridiagonal, so that its leading eigenvector is found
// at little cost. The iteration ends when this vector is an eigenvector of the matrix up to rounding,
// or when the basis is complete.
func leadingEigenvector(ctx context.Context, n int, multiply func(dst, v []float64)) (vector []float64, ok bool) {
	var basis [][]float64
	var projected tridiagonal // the matrix in terms of the basis
	v := startVector(n)
	for ctx.Err() == nil {
		basis = append(basis, v)
		next := make([]float64, n)
		multiply(next, v)
		projected.diagonal = append(projected.diagonal, linear.Dot(v, next))
		orthogonalise(next, basis) // what remains of matrix·v is a new direction
		norm := math.Sqrt(linear.Dot(next, next))

		eigenvalue, coordinates := projected.leadingEigenpair()
		if sum := eigenvalue + norm; math.IsNaN(sum) || math.IsInf(sum, 0) { // one of them is not finite
			return nil, false
		}
		// For the eigenvector x in the basis, this is the norm of matrix·x − eigenvalue·x.
		residual := norm * math.Abs(coordinates[len(coordinates)-1])
		hasConverged := residual <= unitRoundoff*eigenvalue || norm == 0
		if hasConverged || len(basis) == n {
			return combine(basis, coordinates), true
		}
		scaleVector(next, 1/norm)
		projected.offDiagonal = append(projected.offDiagonal, norm)
		v = next
	}
	return nil, false
}

// orthogonalise subtracts from v its projections on the vectors of an orthonormal basis. It does so
// twice, as rounding leaves small projections the first time.
func orthogonalise(v []float64, basis [][]float64) {
	for range 2 {
		for _, b := range basis {
			linear.AddScaled(v, -linear.Dot(b, v), b)
		}
	}
}

// combine returns the vector of norm 1 with the given coordinates in the basis.
func combine(basis [][]float64, coordinates []float64) []float64 {
	vector := make([]float64, len(basis[0]))
	for i, b := range basis {
		linear.AddScaled(vector, coordinates[i], b)
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
		multiple := uint64(i) + 1
		// The products overflow, and so keep the fractional parts of multiples of the two numbers.
		goldenFraction := multiple * goldenRatio
		rootFraction := multiple * rootOfHalf
		v[i] = 1 + float64(float64(goldenFraction>>11)/(1<<53)) // the upper 53 of 64 bits, which float64 holds exactly
		isNegative := rootFraction>>63 == 1                     // the fractional part is ½ or more
		if isNegative {
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
// NaN, and the vector 0, if a number of the matrix is not finite.
func (m tridiagonal) leadingEigenpair() (eigenvalue float64, vector []float64) {
	pivots := make([]float64, len(m.diagonal))
	eigenvalue = m.largestEigenvalue(pivots)
	if !m.isNegativeDefinite(eigenvalue, pivots) { // sets pivots
		return math.NaN(), make([]float64, len(m.diagonal))
	}
	return eigenvalue, m.eigenvector(eigenvalue, pivots)
}

// largestEigenvalue returns the largest eigenvalue, rounded up: the least number t for which all
// eigenvalues of matrix − t·identity are negative. It finds t by bisection, which ends when no float64
// is between the bounds. pivots is scratch memory.
func (m tridiagonal) largestEigenvalue(pivots []float64) float64 {
	low, high := m.eigenvalueBounds()
	// The upper bound itself may be the eigenvalue, up to rounding; a slightly larger number cannot be.
	const relativeStep = 0x1p-50 // a few times the relative rounding error
	for !m.isNegativeDefinite(high, pivots) && !math.IsInf(high, 0) && !math.IsNaN(high) {
		high = math.Nextafter(high+float64(math.Abs(high)*relativeStep), math.Inf(1))
	}
	for {
		middle := low + float64((high-low)/2)
		isBetween := low < middle && middle < high // false for NaN
		if !isBetween {
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
// element of the diagonal, and Gershgorin's upper bound, the largest sum of a row. The elements beside
// the diagonal are norms, and not negative.
func (m tridiagonal) eigenvalueBounds() (low, high float64) {
	neighbours := slices.Concat([]float64{0}, m.offDiagonal, []float64{0}) // elements i and i+1 are in row i
	low = math.Inf(-1)
	high = math.Inf(-1)
	for i, element := range m.diagonal {
		low = max(low, element)
		high = max(high, element+neighbours[i]+neighbours[i+1])
	}
	return low, high
}

// isNegativeDefinite reports whether all eigenvalues of matrix − t·identity are negative. This is so if
// all pivots of Gaussian elimination, from the first row to the last, are negative (Sylvester's law of
// inertia). It then sets pivots to these.
func (m tridiagonal) isNegativeDefinite(t float64, pivots []float64) bool {
	for i, element := range m.diagonal {
		pivots[i] = element - t
		if i > 0 {
			neighbour := m.offDiagonal[i-1]
			pivots[i] -= float64(neighbour*neighbour) / pivots[i-1]
		}
		if !(pivots[i] < 0) {
			return false
		}
	}
	return true
}

// eigenvector returns the eigenvector of norm 1 for the largest eigenvalue. forward has the pivots of
// elimination in matrix − eigenvalue·identity from the first row to the last.
//
// The method is a twisted factorisation (Parlett and Dhillon 1997, Fernando's solution to
// Wilkinson's problem): elimination runs from both ends to the row of the vector's largest element.
// This element is set to 1, and each of the others follows from its neighbour.
func (m tridiagonal) eigenvector(eigenvalue float64, forward []float64) []float64 {
	n := len(m.diagonal)
	backward := m.backwardPivots(eigenvalue)
	largest := m.indexOfLargest(eigenvalue, forward, backward)
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

// backwardPivots returns the pivots of Gaussian elimination in matrix − eigenvalue·identity from the
// last row to the first, for the largest eigenvalue. All of them are negative.
func (m tridiagonal) backwardPivots(eigenvalue float64) []float64 {
	const smallestNormal = 0x1p-1022 // smallest positive float64 with full precision
	n := len(m.diagonal)
	pivots := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		pivots[i] = m.diagonal[i] - eigenvalue
		if i < n-1 {
			neighbour := m.offDiagonal[i]
			pivots[i] -= float64(neighbour*neighbour) / pivots[i+1]
		}
		pivots[i] = min(pivots[i], -smallestNormal) // rounding may have made it 0 or more
	}
	return pivots
}

// indexOfLargest returns the index of the eigenvector's largest element: the first row in which
// elimination from both ends leaves the smallest pivot. That pivot is the sum of the row's forward and
// backward pivots, less its diagonal element, which both of them contain.
func (m tridiagonal) indexOfLargest(eigenvalue float64, forward, backward []float64) int {
	index := 0
	smallest := math.Inf(1)
	for i, element := range m.diagonal {
		twistedPivot := math.Abs(forward[i] + backward[i] - (element - eigenvalue))
		if twistedPivot < smallest {
			index = i
			smallest = twistedPivot
		}
	}
	return index
}

// normalise divides a vector by its Euclidean norm.
func normalise(v []float64) {
	scaleVector(v, 1/math.Sqrt(linear.Dot(v, v)))
}

// scaleVector multiplies a vector by a factor.
func scaleVector(v []float64, factor float64) {
	for i := range v {
		v[i] = float64(v[i] * factor)
	}
}
