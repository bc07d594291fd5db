package measure

import (
	"slices"

	"sml/internal/portable"
)

var ause = Measure{
	Name: "ause", Title: "AUSE",
	Summary:    "area under the sparsification error curve: how much less the error falls as rows are left out by their σ than by their errors",
	Formula:    "∫ (s(f) − o(f)) df/s(0), 0 ≤ f < 1; s(f) is the mean |μ − y| without the fraction f of rows with the largest σ, o(f) without those with the largest |μ − y|",
	Convention: "0 if σ orders the rows as the errors do; true σ score 0.57 for normal errors of one σ",
	Source:     "Ilg et al. (2018), Uncertainty estimates and multi-hypotheses networks for optical flow, by the mean absolute error",
	Unit:       None, Needs: []Part{Mean, Std}, OnRequest: true,
	Compute: func(c *Column) float64 {
		weights := c.scaledWeights()
		sizes := rescale(c.absoluteErrors(), weights) // so that their sum is finite
		all := c.Average(func(i int) float64 { return sizes[i] })
		if all == 0 {
			return 0
		}
		for i := range sizes {
			sizes[i] /= all
		}
		return meanTailError(sizes, c.Std, weights) - meanTailError(sizes, sizes, weights)
	},
}

// meanTailError returns ∫ m(t) dt over t from 0 to 1, with m(t) the mean error of the fraction t of
// the rows that has the smallest keys. Rows with the same key are taken together.
//
// If rows with the mean error e fill the fractions from a to b, after rows with the error sum S,
// then m(t) = (S + e(t − a))/t there, whose integral is e(b − a) + (S − e·a)·log(b/a).
func meanTailError(errors, keys, weights []float64) float64 {
	order := make([]int, 0, len(keys))
	total := 0.0
	for i := range keys {
		if weights == nil || weights[i] > 0 {
			order = append(order, i)
			total += weighted(weights, i, 1)
		}
	}
	slices.SortStableFunc(order, compareValues(keys))
	var area float64
	var errorSum, fraction float64 // S and a of the formula
	for len(order) > 0 {
		ties := leadingTies(order, keys)
		tiesFraction, tiesErrorSum := 0.0, 0.0
		for _, i := range ties {
			tiesFraction += weighted(weights, i, 1)
			tiesErrorSum += weighted(weights, i, errors[i])
		}
		tiesFraction /= total
		tiesErrorSum /= total
		meanError := tiesErrorSum / tiesFraction
		area += tiesErrorSum
		if fraction > 0 {
			area += float64((errorSum - float64(meanError*fraction)) * portable.Log1p(tiesFraction/fraction))
		}
		errorSum += tiesErrorSum
		fraction += tiesFraction
		order = order[len(ties):]
	}
	return area
}
