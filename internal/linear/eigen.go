package linear

import (
	"errors"
	"math"
)

// roundoff is the distance from 1 to the next float64.
const roundoff = 0x1p-52

// errEigen is the error of Eigen for a matrix with an infinite number, a NaN, or a number too large to be added.
var errEigen = errors.New("the matrix has no eigenvalues: a number is not finite, or too large")

// Eigen returns the eigenvalues of a symmetric matrix, in no particular order, and their eigenvectors of norm 1:
// vectors[i] belongs to values[i]. It reads the complete matrix and overwrites it. It returns an error if a number is not
// finite or too large.
//
// Each eigenvalue has an error of about the rounding error of the largest eigenvalue, so that an eigenvalue 0 may be
// returned as a slightly negative number. A matrix of low rank takes less time.
//
// The methods are the reduction to a tridiagonal matrix by Householder reflections, and the QL iteration with implicit
// shifts (Wilkinson and Reinsch 1971, contributions II/2 and II/4).
func Eigen(matrix [][]float64) (values []float64, vectors [][]float64, err error) {
	n := len(matrix)
	largest := largestElement(matrix)
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return nil, nil, errEigen
	}
	tolerance := float64(roundoff * largest)
	diagonal, offDiagonal, reflections := tridiagonalise(matrix, float64(float64(n)*tolerance))
	vectors = NewMatrix(n, n)
	for i := range vectors {
		vectors[i][i] = 1
	}
	for k := len(reflections) - 1; k >= 0; k-- {
		for _, vector := range vectors[k+1:] { // vectors 0 to k are 0 in the elements that the reflection changes
			reflections[k].apply(vector[k+1:])
		}
	}
	q := qlIteration{diagonal: diagonal, offDiagonal: offDiagonal, vectors: vectors, tolerance: tolerance}
	return diagonal, vectors, q.run()
}

// largestElement returns the largest magnitude of the elements. It returns NaN if an element is NaN.
func largestElement(matrix [][]float64) float64 {
	largest := 0.0
	for _, row := range matrix {
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// reflection is the symmetric matrix I − factor·v·vᵀ, where I is the identity.
type reflection struct {
	v      []float64 // nil for the identity
	factor float64
}

// apply multiplies x by the reflection.
func (r reflection) apply(x []float64) {
	if r.v == nil {
		return
	}
	step := float64(r.factor * Dot(r.v, x))
	for i, v := range r.v {
		x[i] -= float64(step * v)
	}
}

// newReflection returns the reflection that maps x to (leading, 0, 0, …). If the norm of x is at most negligible,
// x counts as 0 and leading is 0.
func newReflection(x []float64, negligible float64) (r reflection, leading float64) {
	norm := math.Sqrt(Dot(x, x))
	if norm <= negligible {
		return reflection{}, 0
	}
	leading = -math.Copysign(norm, x[0]) // opposite signs, so that x[0] − leading loses no digits
	v := make([]float64, len(x))
	copy(v, x)
	v[0] -= leading
	return reflection{v: v, factor: 2 / Dot(v, v)}, leading
}

// tridiagonalise returns a tridiagonal matrix H·matrix·Hᵀ and the reflections whose product is H. offDiagonal[i] is the
// element of the tridiagonal matrix in rows i and i+1; its last element is 0. Reflection k changes the elements from k+1 on.
// A column whose norm is at most negligible counts as 0.
func tridiagonalise(matrix [][]float64, negligible float64) (diagonal, offDiagonal []float64, reflections []reflection) {
	n := len(matrix)
	product := make([]float64, n)
	for k, row := range matrix {
		diagonal = append(diagonal, row[k])
		if k == n-1 {
			break
		}
		r, leading := newReflection(row[k+1:], negligible)
		offDiagonal = append(offDiagonal, leading)
		reflections = append(reflections, r)
		if r.v != nil {
			reflectBoth(matrix[k+1:], k+1, r, product[k+1:])
		}
	}
	return diagonal, append(offDiagonal, 0), reflections
}

// reflectBoth multiplies a symmetric matrix by a reflection from both sides. The matrix has the elements of rows from the
// given column on. w is scratch memory with an element for each row.
//
// With p = factor·matrix·v and w = p − ½ factor·(pᵀv)·v, the product is matrix − v·wᵀ − w·vᵀ.
func reflectBoth(rows [][]float64, column int, r reflection, w []float64) {
	for i, row := range rows {
		w[i] = float64(r.factor * Dot(row[column:], r.v))
	}
	half := float64(float64(r.factor/2) * Dot(w, r.v))
	for i, v := range r.v {
		w[i] -= float64(half * v)
	}
	for i, row := range rows {
		vi, wi := r.v[i], w[i]
		row = row[column:]
		for j, vj := range r.v {
			row[j] -= float64(vi*w[j]) + float64(wi*vj) // the sum has the same bits in (i, j) and (j, i)
		}
	}
}

// qlIteration makes a tridiagonal matrix diagonal, and so computes its eigenvalues: it rotates pairs of rows and columns
// until the off-diagonal elements are 0. The same rotations turn vectors into the eigenvectors.
type qlIteration struct {
	diagonal    []float64
	offDiagonal []float64 // element i is in rows i and i+1; the last is 0
	vectors     [][]float64
	tolerance   float64 // magnitude up to which an off-diagonal element counts as 0
}

// run runs the iteration: it sweeps over the block of each first row until the block is the row alone, whose diagonal
// element is an eigenvalue then. It returns errEigen if it does not converge, because numbers have overflowed.
func (q *qlIteration) run() error {
	const maxSweeps = 60 // two or three are usual
	for first := range q.diagonal {
		sweeps := 0
		for {
			last := q.blockEnd(first)
			if last == first {
				break
			}
			sweeps++
			if sweeps > maxSweeps {
				return errEigen
			}
			q.sweep(first, last)
		}
	}
	return nil
}

// blockEnd returns the last row of the block that begins in the given row: the first row whose off-diagonal element counts
// as 0. It sets that element to 0.
func (q *qlIteration) blockEnd(first int) int {
	for i := first; i < len(q.diagonal)-1; i++ {
		magnitude := math.Abs(q.offDiagonal[i])
		neighbours := math.Abs(q.diagonal[i]) + math.Abs(q.diagonal[i+1])
		if magnitude <= q.tolerance || magnitude <= float64(roundoff*neighbours) {
			q.offDiagonal[i] = 0
			return i
		}
	}
	return len(q.diagonal) - 1
}

// sweep does one step of the iteration on the block from first to last: it rotates the rows i and i+1 from the end of the
// block up to its beginning. Each rotation removes the element outside the three diagonals that the rotation before it
// has made. The sweep converges fast because the matrix is shifted by an eigenvalue of its first two rows.
//
// The steps and the names f, g, b and r are those of procedure imtql2 of Wilkinson and Reinsch.
func (q *qlIteration) sweep(first, last int) {
	d, e := q.diagonal, q.offDiagonal
	ratio := (d[first+1] - d[first]) / (2 * e[first])
	g := d[last] - d[first] + e[first]/(ratio+math.Copysign(hypotenuse(ratio, 1), ratio)) // d[last] less the eigenvalue
	sine, cosine, shift := 1.0, 1.0, 0.0
	for i := last - 1; i >= first; i-- {
		f := float64(sine * e[i])
		b := float64(cosine * e[i])
		r := hypotenuse(f, g)
		e[i+1] = r
		if r == 0 { // the block divides into two here
			d[i+1] -= shift
			e[last] = 0
			return
		}
		sine = f / r
		cosine = g / r
		g = d[i+1] - shift
		r = float64((d[i]-g)*sine) + float64(2*cosine*b)
		shift = float64(sine * r)
		d[i+1] = g + shift
		g = float64(cosine*r) - b
		rotate(q.vectors[i], q.vectors[i+1], sine, cosine)
	}
	d[first] -= shift
	e[first] = g
	e[last] = 0
}

// rotate replaces x by cosine·x − sine·y and y by sine·x + cosine·y.
func rotate(x, y []float64, sine, cosine float64) {
	y = y[:len(x)]
	for i, xi := range x {
		yi := y[i]
		y[i] = float64(sine*xi) + float64(cosine*yi)
		x[i] = float64(cosine*xi) - float64(sine*yi)
	}
}

// hypotenuse returns √(x² + y²) with the same bits on every CPU, unlike math.Hypot.
func hypotenuse(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	larger, smaller := max(x, y), min(x, y)
	if larger == 0 {
		return 0
	}
	ratio := smaller / larger
	return float64(larger * math.Sqrt(1+float64(ratio*ratio)))
}
