package measure

import (
	"slices"

	"sml/internal/portable"
)

var ause = Measure{
	Name: "ause", Title: "AUSE",
	Summary: "area under the sparsification error curve: how much less the error falls as rows are left out by their σ than by their errors",
	Formula: "∫ (s(f) − o(f)) df/s(0) over 0 ≤ f < 1, s(f) the mean |μ − y| without the share f of the rows that has the largest σ, o(f) the same with the largest |μ − y|",
	Convention: "0 where σ has the order of the errors, which no σ that is not told them has. Shares are taken as they are, rows in part, " +
		"and rows of the same σ in equal parts, which is the mean over their orders; 0 where all means are exact",
	Source: "Ilg et al. (2018), Uncertainty estimates and multi-hypotheses networks for optical flow, by the mean absolute error",
	Unit:   None, Needs: []Part{Mean, Std}, OnRequest: true,
	Of: func(c *Column) float64 {
		weights := c.scaled()
		sizes := rescale(c.errorSizes(), weights) // so that their sum is finite
		all := c.Average(func(i int) float64 { return sizes[i] })
		if all == 0 {
			return 0
		}
		for i := range sizes {
			sizes[i] /= all
		}
		return sparsified(sizes, c.Std, weights) - sparsified(sizes, sizes, weights)
	},
}

// sparsified is ∫ of the mean error of the share t of the rows with the smallest keys,
// over t from 0 to 1. Where rows of error e go from t = a to b behind a sum A of what
// was before, that mean is (A + e(t − a))/t.
func sparsified(errors, keys, weights []float64) float64 {
	order := make([]int, 0, len(keys))
	total := 0.0
	for i := range keys {
		if weights == nil || weights[i] > 0 {
			order = append(order, i)
			total += weighted(weights, i, 1)
		}
	}
	slices.SortStableFunc(order, compareValues(keys))
	var area, sum, below float64 // sum and below up to a
	for len(order) > 0 {
		same := leadingTies(order, keys)
		part, more := 0.0, 0.0
		for _, i := range same {
			part += weighted(weights, i, 1)
			more += weighted(weights, i, errors[i])
		}
		part, more = part/total, more/total
		e, to := more/part, below+part
		area += more
		if below > 0 {
			area += float64((sum - float64(e*below)) * portable.Log1p(part/below))
		}
		sum, below = sum+more, to
		order = order[len(same):]
	}
	return area
}
