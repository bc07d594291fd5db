package evaluation

import "math"

// residuals returns r = (mean−y)/std of each row. Where std is zero, an exact
// mean has r = 0 and any other r = ±Inf with the sign of mean−y.
func residuals(mean, std, y []float64) []float64 {
	r := make([]float64, len(y))
	for i := range y {
		d := mean[i] - y[i]
		switch {
		case d == 0:
			r[i] = 0
		case std[i] == 0:
			r[i] = math.Inf(sign(d))
		default:
			r[i] = d / std[i]
		}
	}
	return r
}

func sign(x float64) int {
	if x < 0 {
		return -1
	}
	return 1
}

// quantiles returns Φ(r) of each residual, where the quantile in N(0,1) of an
// honest prediction is uniform in [0, 1].
func quantiles(r []float64) []float64 {
	q := make([]float64, len(r))
	for i := range r {
		q[i] = normalCDF(r[i])
	}
	return q
}
