package baseline

import (
	"math"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/linear"
)

const (
	// maxFeatures is the maximum number of features of a ridge regression; its time grows with their third power.
	maxFeatures = 500

	// maxProducts is the maximum of rows · features², about the number of multiplications, which take a
	// second. Of more rows, evenly spaced ones are used.
	maxProducts = 1e9
)

// ridge is a linear function of standardised features, whose errors have a normal distribution. The penalty
// is chosen by generalised cross-validation.
//
// Source: Golub, Heath and Wahba (1979), Generalized Cross-Validation as a Method for Choosing a Good Ridge
// Parameter, equation 1.4.
type ridge struct {
	scaling
	weights   []float64 // change of the prediction for each standard deviation of a feature
	intercept float64   // prediction at the means
	std       float64   // standard deviation of the errors
}

// penalties are the penalties that fitRidge compares, relative to the number of rows.
var penalties = []float64{1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10}

// fitRidge fits a ridge regression to the training rows.
func fitRidge(train Rows) ridge {
	r := ridge{scaling: chooseFeatures(train, maxFeatures), intercept: train.meanTarget()}
	products := r.multiply(train)
	r.weights = make([]float64, len(r.features)) // if no penalty has a finite error
	r.std = math.NaN()
	best := math.Inf(1)
	for _, penalty := range penalties {
		weights, errors := products.solve(penalty)
		if errors.crossValidated < best {
			best = errors.crossValidated
			r.weights = weights
			r.std = math.Sqrt(errors.variance)
		}
	}
	return r
}

// maxRidgeRows returns the maximum number of rows that a ridge regression of this number of inputs uses.
func maxRidgeRows(inputs int) int {
	features := max(1, min(inputs, maxFeatures))
	return max(2, int(maxProducts/float64(features*features)))
}

// products has the mean products of the standardised features and the target, less its mean, over the rows.
type products struct {
	features [][]float64 // of two features, the lower triangle
	target   []float64   // of a feature and the target
	square   float64     // of the target with itself
	rows     float64     // number of rows with a weight above 0
}

// multiply returns the products of the training rows.
func (r *ridge) multiply(train Rows) products {
	const blockRows = 256 // rows that fit into the cache
	size := len(r.features)
	p := products{features: linear.NewMatrix(size, size), target: make([]float64, size)}
	columns := linear.NewMatrix(size+1, blockRows) // standardised features and, last, targets of a block
	total := 0.0                                   // sum of the weights
	for first := 0; first < len(train.Numbers); first += blockRows {
		rows := min(blockRows, len(train.Numbers)-first)
		for i := range rows {
			weight := train.weight(first + i)
			r.addRow(columns, i, train, first+i)
			total += weight
			if weight > 0 {
				p.rows++
			}
		}
		target := columns[size][:rows]
		p.square += linear.Dot(target, target)
		for a := range size {
			p.target[a] += linear.Dot(columns[a][:rows], target)
			for b := range a + 1 {
				p.features[a][b] += linear.Dot(columns[a][:rows], columns[b][:rows])
			}
		}
	}
	p.square /= total
	for a := range size {
		p.target[a] /= total
		for b := range a + 1 {
			p.features[a][b] /= total
		}
	}
	return p
}

// addRow sets element i of each column to the standardised feature of the training row at a position, and in
// the last column to its target less the mean. All are multiplied by the root of the row's weight.
func (r *ridge) addRow(columns [][]float64, i int, train Rows, position int) {
	root := math.Sqrt(train.weight(position))
	values := train.features(position)
	for k, j := range r.features {
		columns[k][i] = float64(root * (values[j] - r.means[k]) / r.scales[k])
	}
	columns[len(r.features)][i] = float64(root * (train.Y[position] - r.intercept))
}

// ridgeErrors has the expected squared errors of a ridge regression.
type ridgeErrors struct {
	variance       float64 // variance of the errors of the training rows, corrected for the degrees of freedom
	crossValidated float64 // criterion of generalised cross-validation; infinite if there are too few rows
}

// solve returns the weights for a penalty and their errors.
func (p products) solve(penalty float64) (weights []float64, errors ridgeErrors) {
	size := len(p.target)
	matrix := linear.NewMatrix(size, size)
	for i := range matrix {
		copy(matrix[i], p.features[i])
		matrix[i][i] += penalty
	}
	factor := linear.NewCholesky(matrix)
	weights = factor.Solve(p.target)
	// The mean squared error y² − 2wᵀb + wᵀGw of the equations (G + λ)w = b.
	explained := linear.Dot(weights, p.target) + float64(penalty*linear.Dot(weights, weights))
	meanSquare := max(0, p.square-explained)
	degrees := 1 + float64(size) - float64(penalty*factor.InverseTrace()) // of freedom, with the intercept
	free := 1 - degrees/p.rows
	if free <= 0 { // as many degrees of freedom as rows
		return weights, ridgeErrors{variance: p.square, crossValidated: math.MaxFloat64}
	}
	return weights, ridgeErrors{
		variance:       meanSquare / free,
		crossValidated: meanSquare / float64(free*free),
	}
}

// predict returns the predictions of the test rows.
func (r ridge) predict(test Rows) *measure.Column {
	column := &measure.Column{Y: test.Y, Weights: test.Weights, Protocol: data.Sound}
	for i := range test.Numbers {
		values := test.features(i)
		mean := r.intercept
		for k, j := range r.features {
			mean += float64(r.weights[k] * (values[j] - r.means[k]) / r.scales[k])
		}
		column.Mean = append(column.Mean, mean)
		column.Std = append(column.Std, r.std)
	}
	return column
}
