package evaluation

import (
	"math"

	"sml/data"
	"sml/data/portable"
)

// aside is added to each std under the paper protocol, as in the paper's notebook, so
// that a row with std = 0 has a large residual and not an infinite one.
const aside = 1e-10

// residuals returns r = (mean−y)/std of each row, under the paper protocol
// (mean−y)/(std+1e-10). An exact mean has r = 0; where std is zero, any other has
// r = ±Inf with the sign of mean−y, but under the paper protocol.
func residuals(mean, std, y []float64, protocol data.Protocol) []float64 {
	r := make([]float64, len(y))
	for i := range y {
		d, s := mean[i]-y[i], math.Abs(std[i]) // of −0, 0
		if protocol == data.Paper {
			s += aside
		}
		if d != 0 {
			r[i] = d / s
		}
	}
	return r
}

// quantiles returns Φ(r) of each residual, where the quantile in N(0,1) of an
// honest prediction is uniform in [0, 1].
func quantiles(r []float64) []float64 {
	q := make([]float64, len(r))
	for i := range r {
		q[i] = portable.NormalCDF(r[i])
	}
	return q
}
