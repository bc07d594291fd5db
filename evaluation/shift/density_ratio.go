package shift

import (
	"errors"
	"math"

	"sml/internal/linear"
	"sml/internal/portable"
)

// DensityRatio estimates how much more frequent the features of a row are among some target rows than among
// calibration rows. The zero value says that they are as frequent.
type DensityRatio struct {
	coefficients []float64 // of the logarithm of the ratio: a constant, then one for each feature; nil if the ratio is 1
}

// maxLogRatio bounds the logarithm of a ratio: the probability that a row is a target row stays from 1 % to 99 %, as
// in Tibshirani et al. (2019), section 2.3.
const maxLogRatio = 4.59511985013459 // log 99

// maxFeature bounds standardised features, so that single outliers do not decide.
const maxFeature = 10

// penalties are the strengths of regularisation that FitDensityRatio tries, the strongest first.
var penalties = []float64{1, 0.1, 0.01, 0.001}

// ratioFolds is the number of folds of the cross-validation that chooses the penalty.
const ratioFolds = 4

// FitDensityRatio returns the density ratio of target rows and calibration rows. Both have standardised features of
// the given number of columns, row by row. It returns an error if either has fewer than two rows for each fold.
//
// A logistic regression tells the two kinds of rows apart, each kind with the same total weight; its log odds are
// then the logarithm of the ratio. The squared coefficients are penalised. Cross-validation chooses the penalty, or
// the ratio 1 if no regression predicts the kind of rows that it has not seen better than chance.
func FitDensityRatio(calibration, target []float64, columns int) (DensityRatio, error) {
	if min(len(calibration), len(target)) < 2*ratioFolds*columns {
		return DensityRatio{}, errors.New("want at least 8 calibration rows and 8 target rows")
	}
	all := newLabelledRows(calibration, target, columns)
	losses := make([]float64, len(penalties))
	for fold := range ratioFolds {
		trained, judged := all.divide(fold)
		coefficients := make([]float64, columns+1)
		for i, penalty := range penalties {
			coefficients = trained.fitLogistic(penalty, coefficients)
			losses[i] += float64(judged.loss(coefficients) / ratioFolds)
		}
	}
	best := -1
	lowest := portable.Log(2) // loss of the ratio 1
	for i, loss := range losses {
		if loss < lowest {
			best = i
			lowest = loss
		}
	}
	if best < 0 {
		return DensityRatio{}, nil
	}
	coefficients := make([]float64, columns+1)
	return DensityRatio{all.fitLogistic(penalties[best], coefficients)}, nil
}

// newLabelledRows returns the rows with the labels −1 for calibration rows and 1 for target rows.
func newLabelledRows(calibration, target []float64, columns int) labelledRows {
	var all labelledRows
	for kind, features := range [][]float64{calibration, target} {
		rows := len(features) / columns
		for row := range rows {
			all.x = append(all.x, clipFeatures(features[row*columns:(row+1)*columns]))
			all.label = append(all.label, float64(2*kind-1))
		}
	}
	all.balance()
	return all
}

// clipFeatures returns 1 and the features of a row, none of them beyond maxFeature.
func clipFeatures(features []float64) []float64 {
	x := make([]float64, 1+len(features))
	x[0] = 1
	for j, v := range features {
		x[1+j] = max(-maxFeature, min(maxFeature, v))
	}
	return x
}

// balance sets the weights of the rows so that each label has half of the weight.
func (r *labelledRows) balance() {
	count := map[float64]float64{}
	for _, label := range r.label {
		count[label]++
	}
	r.weights = make([]float64, len(r.label))
	for i, label := range r.label {
		r.weights[i] = 0.5 / count[label]
	}
}

// divide returns the rows that are not in a fold, and the rows of the fold. Every ratioFolds-th row of a label is in
// the same fold.
func (r labelledRows) divide(fold int) (others, inFold labelledRows) {
	seen := map[float64]int{}
	for i, label := range r.label {
		part := &others
		if seen[label]%ratioFolds == fold {
			part = &inFold
		}
		seen[label]++
		part.x = append(part.x, r.x[i])
		part.label = append(part.label, label)
	}
	others.balance()
	inFold.balance()
	return others, inFold
}

// At returns the ratio for a row with standardised features, from 1/99 to 99.
func (d DensityRatio) At(features []float64) float64 {
	if d.coefficients == nil {
		return 1
	}
	logRatio := linear.Dot(d.coefficients, clipFeatures(features))
	return portable.Exp(math.Max(-maxLogRatio, math.Min(maxLogRatio, logRatio)))
}

// Each returns the ratio of each of some rows, whose standardised features are given row by row.
func (d DensityRatio) Each(features []float64, columns int) []float64 {
	ratios := make([]float64, len(features)/columns)
	for row := range ratios {
		ratios[row] = d.At(features[row*columns : (row+1)*columns])
	}
	return ratios
}

// Found reports whether the two kinds of rows differ as far as the regression can tell: whether the ratio is not 1
// everywhere.
func (d DensityRatio) Found() bool { return d.coefficients != nil }
