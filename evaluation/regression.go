package evaluation

import "math"

// rmse is √ mean (mean−y)².
func rmse(mean, y []float64) float64 {
	unit := unitOf(mean, y)
	return math.Ldexp(math.Sqrt(sumOfSquares(mean, y, unit)/float64(len(y))), unit)
}

// mae is the mean of |mean−y|.
func mae(mean, y []float64) float64 {
	var sum float64
	for i := range y {
		sum += math.Abs(mean[i] - y[i])
	}
	return sum / float64(len(y))
}

// rSquared is 1 − Σ(mean−y)²/Σ(y−ȳ)². Without any spread in y it is 1 if the
// means are exact and 0 otherwise; for a single row it is NaN. Both are the
// conventions of scikit-learn's r2_score.
func rSquared(mean, y []float64) float64 {
	if len(y) < 2 {
		return math.NaN()
	}
	unit := unitOf(mean, y)
	residual, total := sumOfSquares(mean, y, unit), spread(y, unit)
	switch {
	case residual == 0:
		return 1
	case total == 0:
		return 0
	}
	return 1 - residual/total
}

// unitOf is the power of 2 of a unit in which all values are below 1 in size, so that
// their squares stay within float64.
func unitOf(columns ...[]float64) int {
	largest := 0.0
	for _, values := range columns {
		for _, v := range values {
			largest = max(largest, math.Abs(v))
		}
	}
	_, unit := math.Frexp(largest)
	return unit
}

// sumOfSquares is Σ(a−b)², in the square of a unit.
func sumOfSquares(a, b []float64, unit int) float64 {
	var sum float64
	for i := range a {
		d := math.Ldexp(a[i], -unit) - math.Ldexp(b[i], -unit)
		sum += float64(d * d)
	}
	return sum
}

// spread is Σ(y−ȳ)², in the square of a unit. Differences are taken from the first
// value before the mean is formed, so that a constant column has a spread of
// exactly zero.
func spread(y []float64, unit int) float64 {
	first := math.Ldexp(y[0], -unit)
	var shift float64
	for _, v := range y {
		shift += math.Ldexp(v, -unit) - first
	}
	shift /= float64(len(y))
	var sum float64
	for _, v := range y {
		d := math.Ldexp(v, -unit) - first - shift
		sum += float64(d * d)
	}
	return sum
}
