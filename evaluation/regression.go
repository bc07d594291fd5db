package evaluation

import "math"

// rmse is √ mean (mean−y)².
func rmse(mean, y []float64) float64 {
	return math.Sqrt(sumOfSquares(mean, y) / float64(len(y)))
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
	residual, total := sumOfSquares(mean, y), spread(y)
	switch {
	case residual == 0:
		return 1
	case total == 0:
		return 0
	}
	return 1 - residual/total
}

func sumOfSquares(a, b []float64) float64 {
	var sum float64
	for i := range a {
		d := a[i] - b[i]
		sum += float64(d * d)
	}
	return sum
}

// spread is Σ(y−ȳ)². Differences are taken from the first value before the
// mean is formed, so that a constant column has a spread of exactly zero.
func spread(y []float64) float64 {
	var shift float64
	for _, v := range y {
		shift += v - y[0]
	}
	shift /= float64(len(y))
	var sum float64
	for _, v := range y {
		d := v - y[0] - shift
		sum += float64(d * d)
	}
	return sum
}
