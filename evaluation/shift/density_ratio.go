package shift

import (
	"errors"
	"math"

	"sml/internal/linear"
	"sml/internal/portable"
)

// DensityRatio estimates, for each row, the density of its features among target rows divided by their density among
// calibration rows. The zero value is the ratio 1 for every row.
type DensityRatio struct {
	// coefficients of the logarithm of the ratio: a constant, then one for each feature; nil if the ratio is 1.
	coefficients []float64
}

// maxLogRatio bounds the logarithm of a ratio, so that the probability of a target row stays from 1 % to 99 %, as in
// Tibshirani et al. (2019), section 2.3.
const maxLogRatio = 4.59511985013459 // log 99

// maxFeature bounds the magnitude of standardised features, so that outliers do not determine the coefficients.
const maxFeature = 10

// penalties are the strengths of regularisation that FitDensityRatio tries, in descending order.
var penalties = []float64{1, 0.1, 0.01, 0.001}

// ratioFolds is the number of folds of the cross-validation that chooses the penalty.
const ratioFolds = 4

// FitDensityRatio returns the density ratio of target rows and calibration rows. Both have standardised features of
// the given number of columns, row by row. It returns an error if either has fewer than two rows for each fold.
//
// A logistic regression classifies rows as calibration rows or target rows. Both classes have the same total weight, so
// that its log odds are the logarithm of the ratio. Cross-validation chooses the penalty on the squared coefficients. If
// no regression classifies the rows of the other folds better than chance, the ratio is 1.
func FitDensityRatio(calibration, target []float64, columns int) (DensityRatio, error) {
	if min(len(calibration), len(target)) < 2*ratioFolds*columns {
		return DensityRatio{}, errors.New("want at least 8 calibration rows and 8 target rows")
	}
	all := newLabelledRows(calibration, target, columns)
	lowestLoss := portable.Log(2) // loss of the ratio 1
	best := -1                    // index in penalties
	for i, loss := range all.validationLosses() {
		if loss < lowestLoss {
			best = i
			lowestLoss = loss
		}
	}
	if best < 0 {
		return DensityRatio{}, nil
	}
	start := make([]float64, columns+1)
	return DensityRatio{all.fitLogistic(penalties[best], start)}, nil
}

// validationLosses returns the mean loss on held-out rows for each of the penalties, by cross-validation.
func (r labelledRows) validationLosses() []float64 {
	losses := make([]float64, len(penalties))
	for fold := range ratioFolds {
		trained, heldOut := r.divide(fold)
		coefficients := make([]float64, len(r.x[0]))
		for i, penalty := range penalties {
			coefficients = trained.fitLogistic(penalty, coefficients) // the last coefficients are a good start
			losses[i] += float64(heldOut.loss(coefficients) / ratioFolds)
		}
	}
	return losses
}

// newLabelledRows returns all rows, calibration rows with the label −1 and target rows with the label 1.
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

// clipFeatures returns 1, for the constant, and then the features of a row, limited to ±maxFeature.
func clipFeatures(features []float64) []float64 {
	x := make([]float64, 1+len(features))
	x[0] = 1
	for j, v := range features {
		x[1+j] = max(-maxFeature, min(maxFeature, v))
	}
	return x
}

// balance sets the weights of the rows so that the rows of each label have half of the weight.
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

// divide returns the rows outside a fold and the rows in it. The rows of each label are dealt to the folds in turns.
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

// at returns the ratio for a row with standardised features, from 1/99 to 99.
func (d DensityRatio) at(features []float64) float64 {
	if d.coefficients == nil {
		return 1
	}
	logRatio := linear.Dot(d.coefficients, clipFeatures(features))
	return portable.Exp(math.Max(-maxLogRatio, math.Min(maxLogRatio, logRatio)))
}

// Each returns the ratio of each row. features has the standardised features, row by row.
func (d DensityRatio) Each(features []float64, columns int) []float64 {
	ratios := make([]float64, len(features)/columns)
	for row := range ratios {
		ratios[row] = d.at(features[row*columns : (row+1)*columns])
	}
	return ratios
}

// Found reports whether the regression found a difference between the two kinds of rows. Without one, the ratio is 1 for
// every row.
func (d DensityRatio) Found() bool { return d.coefficients != nil }
