package baseline

import (
	"cmp"
	"math"
	"slices"

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
	features []int     // indices of the used features, ascending
	means    []float64 // mean of each used feature
	scales   []float64 // standard deviation of each used feature, above 0
	weights  []float64 // change of the prediction for each standard deviation of a feature

	intercept float64 // prediction at the means
	std       float64 // standard deviation of the errors
}

// penalties are the penalties that fitRidge compares, relative to the number of rows.
var penalties = []float64{1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10}

// fitRidge fits a ridge regression to the training rows.
func fitRidge(train Rows) ridge {
	train = train.thin()
	r := ridge{intercept: train.meanTarget()}
	r.chooseFeatures(train)
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

// thin returns evenly spaced rows. Their number is limited, so that a ridge regression takes at most about a second.
func (r Rows) thin() Rows {
	features := max(1, min(r.Inputs, maxFeatures))
	limit := max(2, int(maxProducts/float64(features*features)))
	rows := len(r.Numbers)
	if rows <= limit {
		return r
	}
	thinned := Rows{X: r.X, Inputs: r.Inputs}
	for i := range limit {
		position := i * rows / limit
		thinned.Numbers = append(thinned.Numbers, r.Numbers[position])
		thinned.Y = append(thinned.Y, r.Y[position])
		if r.Weights != nil {
			thinned.Weights = append(thinned.Weights, r.Weights[position])
		}
	}
	if r.Weights != nil && !slices.ContainsFunc(thinned.Weights, func(w float64) bool { return w > 0 }) {
		thinned.Weights = nil
	}
	return thinned
}

// chooseFeatures sets the used features, their means and their scales. It leaves out constant features. If more than
// maxFeatures are left, it uses the features with the highest correlation with the target.
func (r *ridge) chooseFeatures(train Rows) {
	m := train.computeMoments(r.intercept)
	_, stds := data.Moments(train.X, train.Inputs, train.Numbers) // 0 for values that differ only by rounding
	for j, std := range stds {
		if std > 0 && m.stds[j] > 0 {
			r.features = append(r.features, j)
		}
	}
	correlation := func(j int) float64 { return math.Abs(m.covariances[j] / m.stds[j]) }
	slices.SortStableFunc(r.features, func(a, b int) int { return cmp.Compare(correlation(b), correlation(a)) })
	r.features = r.features[:min(len(r.features), maxFeatures)]
	slices.Sort(r.features)
	for _, j := range r.features {
		r.means = append(r.means, m.means[j])
		r.scales = append(r.scales, m.stds[j])
	}
}

// moments has weighted moments of features.
type moments struct {
	means       []float64
	stds        []float64
	covariances []float64 // with the target
}

// computeMoments returns the moments of the features. meanTarget is the mean of the targets.
func (r Rows) computeMoments(meanTarget float64) moments {
	m := moments{
		means:       make([]float64, r.Inputs),
		stds:        make([]float64, r.Inputs),
		covariances: make([]float64, r.Inputs),
	}
	total := 0.0 // sum of the weights
	for i := range r.Numbers {
		total += r.weight(i)
	}
	for i := range r.Numbers {
		for j, x := range r.features(i) {
			m.means[j] += float64(r.weight(i) / total * x)
		}
	}
	for i, y := range r.Y {
		fraction := r.weight(i) / total
		for j, x := range r.features(i) {
			deviation := x - m.means[j]
			m.stds[j] += float64(fraction * deviation * deviation)
			m.covariances[j] += float64(fraction * deviation * (y - meanTarget))
		}
	}
	for j, variance := range m.stds {
		m.stds[j] = math.Sqrt(variance)
	}
	return m
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
			r.standardise(columns, i, train, first+i)
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

// standardise sets element i of each column to the standardised feature of the training row at a position, and in
// the last column to its target less the mean. All are multiplied by the root of the row's weight.
func (r *ridge) standardise(columns [][]float64, i int, train Rows, position int) {
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
