package leaks

import (
	"math"
	"slices"
)

// normalEquations are the equations of linear regressions on the same features. They are kept for each fold,
// so that a training without the fold subtracts it.
type normalEquations struct {
	features [][]float64            // the last one is 1 everywhere
	products [folds + 1][][]float64 // of each fold and of all rows: products of features, [feature][feature]
	targets  [folds + 1][][]float64 // products of features with outputs, [output][feature]
	sample   *sample
}

// newNormalEquations returns the equations of features and outputs.
func newNormalEquations(features, outputs [][]float64, s *sample) *normalEquations {
	ones := slices.Repeat([]float64{1}, s.size())
	n := &normalEquations{features: append(slices.Clip(features), ones), sample: s}
	size := len(n.features)
	n.products[folds] = newMatrix(size, size)
	n.targets[folds] = newMatrix(len(outputs), size)
	for k := range folds {
		start, end := s.fold(k)
		n.products[k] = newMatrix(size, size)
		n.targets[k] = newMatrix(len(outputs), size)
		for i, a := range n.features {
			for j, b := range n.features[:i+1] {
				product := dot(a[start:end], b[start:end])
				n.products[k][i][j] = product
				n.products[folds][i][j] += product
			}
			for o, output := range outputs {
				product := dot(a[start:end], output[start:end])
				n.targets[k][o][i] = product
				n.targets[folds][o][i] += product
			}
		}
	}
	return n
}

// newMatrix returns a matrix of zeros.
func newMatrix(rows, columns int) [][]float64 {
	matrix := make([][]float64, rows)
	for i := range matrix {
		matrix[i] = make([]float64, columns)
	}
	return matrix
}

// dot returns the sum of the products of two vectors, in four partial sums, which is faster.
func dot(a, b []float64) float64 {
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

// allFeatures returns the indices of all features.
func (n *normalEquations) allFeatures() []int {
	all := make([]int, len(n.features))
	for i := range all {
		all[i] = i
	}
	return all
}

// learner returns the learner of ridge regression on the chosen features, with a penalty relative to the
// number of rows.
func (n *normalEquations) learner(penalty float64, chosen []int) learner {
	return func(fold int, predictions [][]float64) {
		factor := n.factorise(fold, penalty, chosen)
		start, end := n.sample.fold(fold)
		for o, prediction := range predictions {
			weights := factor.solve(n.rightSide(fold, o, chosen))
			clear(prediction[start:end])
			for i, j := range chosen {
				for row := start; row < end; row++ {
					prediction[row] += float64(weights[i] * n.features[j][row])
				}
			}
		}
	}
}

// factorise returns the Cholesky factor of the equations of the chosen features without fold k, or of all
// rows if k is folds.
func (n *normalEquations) factorise(k int, penalty float64, chosen []int) cholesky {
	matrix := newMatrix(len(chosen), len(chosen))
	rows := float64(n.sample.size())
	for i, a := range chosen {
		for j, b := range chosen[:i+1] {
			matrix[i][j] = n.products[folds][a][b]
			if k < folds {
				matrix[i][j] -= n.products[k][a][b]
			}
		}
		matrix[i][i] += float64(penalty * rows)
	}
	return newCholesky(matrix)
}

// rightSide returns the right side of the equations for output o, of the chosen features without fold k, or
// of all rows if k is folds.
func (n *normalEquations) rightSide(k, o int, chosen []int) []float64 {
	right := make([]float64, len(chosen))
	for i, a := range chosen {
		right[i] = n.targets[folds][o][a]
		if k < folds {
			right[i] -= n.targets[k][o][a]
		}
	}
	return right
}

// cholesky is a lower triangular matrix L; L Lᵀ is the matrix that newCholesky was called with.
type cholesky [][]float64

// newCholesky returns the Cholesky factor of a symmetric positive definite matrix. It reads and
// overwrites its lower triangle. A pivot that rounding made smaller than possible becomes tiny.
func newCholesky(matrix [][]float64) cholesky {
	const minPivot = 1e-12
	for i, row := range matrix {
		for j := range i {
			row[j] = (row[j] - dot(row[:j], matrix[j][:j])) / matrix[j][j]
		}
		row[i] = math.Sqrt(max(minPivot, row[i]-dot(row[:i], row[:i])))
	}
	return matrix
}

// solve returns the solution x of L Lᵀ x = right.
func (l cholesky) solve(right []float64) []float64 {
	x := slices.Clone(right)
	for i := range x {
		x[i] = (x[i] - dot(l[i][:i], x[:i])) / l[i][i]
	}
	for i := len(x) - 1; i >= 0; i-- {
		x[i] /= l[i][i]
		for j := range i {
			x[j] -= float64(l[i][j] * x[i])
		}
	}
	return x
}
