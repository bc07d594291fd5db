package leaks

import (
	"slices"

	"sml/internal/linear"
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
	n.products[folds] = linear.NewMatrix(size, size)
	n.targets[folds] = linear.NewMatrix(len(outputs), size)
	for k := range folds {
		start, end := s.fold(k)
		n.products[k] = linear.NewMatrix(size, size)
		n.targets[k] = linear.NewMatrix(len(outputs), size)
		for i, a := range n.features {
			for j, b := range n.features[:i+1] {
				product := linear.Dot(a[start:end], b[start:end])
				n.products[k][i][j] = product
				n.products[folds][i][j] += product
			}
			for o, output := range outputs {
				product := linear.Dot(a[start:end], output[start:end])
				n.targets[k][o][i] = product
				n.targets[folds][o][i] += product
			}
		}
	}
	return n
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
			weights := factor.Solve(n.rightSide(fold, o, chosen))
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
func (n *normalEquations) factorise(k int, penalty float64, chosen []int) linear.Cholesky {
	matrix := linear.NewMatrix(len(chosen), len(chosen))
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
	return linear.NewCholesky(matrix)
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
