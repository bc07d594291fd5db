package summary

import (
	"cmp"
	"math"
	"slices"

	"sml/data"
	"sml/internal/linear"
)

// regression is a ridge regression of outputs on features. Its equations are kept for each fold, so that a training
// without the fold subtracts it.
type regression struct {
	features [][]float64            // the last one is 1 everywhere
	products [folds + 1][][]float64 // of each fold and of all rows: products of features, [feature][feature]
	targets  [folds + 1][][]float64 // products of features with outputs, [output][feature]
	outputs  [][]float64
}

// newRegression returns the regression of outputs on features and a constant.
func newRegression(features, outputs [][]float64) *regression {
	rows := len(outputs[0])
	ones := slices.Repeat([]float64{1}, rows)
	n := &regression{features: append(slices.Clip(features), ones), outputs: outputs}
	size := len(n.features)
	n.products[folds] = linear.NewMatrix(size, size)
	n.targets[folds] = linear.NewMatrix(len(outputs), size)
	for _, f := range foldsOf(rows) {
		products := linear.NewMatrix(size, size)
		targets := linear.NewMatrix(len(outputs), size)
		for i, a := range n.features {
			for j, b := range n.features[:i+1] {
				products[i][j] = linear.Dot(a[f.start:f.end], b[f.start:f.end])
				n.products[folds][i][j] += products[i][j]
			}
			for o, output := range outputs {
				targets[o][i] = linear.Dot(a[f.start:f.end], output[f.start:f.end])
				n.targets[folds][o][i] += targets[o][i]
			}
		}
		n.products[f.index] = products
		n.targets[f.index] = targets
	}
	return n
}

// weights returns the weights of the features for each output, fitted to all rows without fold k, or to all rows if k
// is folds: [output][feature]. The penalty is relative to the number of rows.
func (n *regression) weights(k int, penalty float64) (weights [][]float64) {
	size := len(n.features)
	matrix := linear.NewMatrix(size, size)
	for i := range size {
		for j := range i + 1 {
			matrix[i][j] = n.products[folds][i][j]
			if k < folds {
				matrix[i][j] -= n.products[k][i][j]
			}
		}
		matrix[i][i] += float64(penalty * float64(len(n.features[0])))
	}
	factor := linear.NewCholesky(matrix)
	for o := range n.outputs {
		right := slices.Clone(n.targets[folds][o])
		if k < folds {
			linear.AddScaled(right, -1, n.targets[k][o])
		}
		weights = append(weights, factor.Solve(right))
	}
	return weights
}

// heldOutR2 returns the held-out R² of the regression with a penalty.
func (n *regression) heldOutR2(penalty float64) float64 {
	return heldOutR2(n.outputs, func(f fold, predictions [][]float64) {
		for o, weights := range n.weights(f.index, penalty) {
			prediction := predictions[o][f.start:f.end]
			clear(prediction)
			for i, weight := range weights {
				linear.AddScaled(prediction, weight, n.features[i][f.start:f.end])
			}
		}
	})
}

// maxFeatures is the maximum number of features of a regression; its time grows with their square.
const maxFeatures = 200

// scoreTogether returns the held-out R² of ridge regression on all given inputs, for the best of several penalties.
// Inputs that predict the target with an index best come first if there are too many.
func scoreTogether(inputs []*Column, y *outcome, target int) float64 {
	inputs = slices.Clone(inputs)
	slices.SortStableFunc(inputs, func(a, b *Column) int { return cmp.Compare(b.Predicts[target].R2, a.Predicts[target].R2) })
	var features [][]float64
	for _, c := range inputs {
		own := featuresOf(c)
		if len(features)+len(own) > maxFeatures {
			break
		}
		features = append(features, own...)
	}
	if len(features) == 0 {
		return 0
	}
	n := newRegression(features, y.outputs)
	best := math.Inf(-1)
	for _, penalty := range []float64{1e-4, 1e-2, 1e-1} {
		best = max(best, n.heldOutR2(penalty))
	}
	return best
}

// featuresOf returns the features of a column: its standardised numbers, or an indicator for each frequent category.
// Missing values have the mean; an indicator marks them if there are several.
func featuresOf(c *Column) (features [][]float64) {
	const (
		maxCategories = 32
		minRows       = 5 // minimum number of rows of a category with an indicator, or of missing values
	)
	if c.namesRows || c.Kind == data.Category {
		for _, category := range frequentValues(c.sample, maxCategories, minRows) {
			features = append(features, indicate(c.sample, func(v float64) bool { return v == category }))
		}
	} else {
		features = append(features, standardise(c.sample))
	}
	missing := len(c.sample) - len(withoutMissing(c.sample))
	if missing >= minRows {
		features = append(features, indicate(c.sample, math.IsNaN))
	}
	return features
}
