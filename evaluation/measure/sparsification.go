package measure

import "sml/internal/portable"

var ause = Measure{
	Name:       "ause",
	Title:      "AUSE",
	Summary:    "area under the sparsification error curve: how much less the error falls if rows are left out by σ than by their errors",
	Formula:    "∫ (s(f) − o(f)) df/s(0), 0 ≤ f < 1; s(f) is the mean |μ − y| without the fraction f of rows with the largest σ, o(f) without those with the largest |μ − y|",
	Convention: "0 if σ orders the rows exactly as the errors do. Even true σ score well above 0: 0.57 for normal errors with constant σ. Rows with equal σ are left out in equal parts; 0 if all means are exact",
	Source:     "Ilg et al. (2018), Uncertainty estimates and multi-hypotheses networks for optical flow, by the mean absolute error",
	Unit:       None,
	Needs:      []Part{Mean, Std},
	OnRequest:  true,
	Compute: func(c *Column) float64 {
		weights := c.scaledWeights()
		errors := rescale(c.AbsoluteErrors(), weights) // so that their sum is finite
		meanError := c.Average(func(row int) float64 { return errors[row] })
		if meanError == 0 {
			return 0
		}
		for row := range errors {
			errors[row] /= meanError
		}
		return integrateRemainingError(errors, c.Std, weights) - integrateRemainingError(errors, errors, weights)
	},
}

// integrateRemainingError returns the area under a sparsification curve: ∫ m(t) dt over t from 0 to 1,
// where m(t) is the mean error of the remaining fraction t of the rows, which has the smallest keys. Rows
// with the same key are left out together, in equal parts.
//
// If rows with the mean error e fill the fractions from a to b, after rows with the error sum S,
// then m(t) = (S + e(t − a))/t there, whose integral is e(b − a) + (S − e·a)·log(b/a). Without rows
// before, S = a = 0, and the second summand is 0.
func integrateRemainingError(errors, keys, weights []float64) float64 {
	totalWeight := 0.0
	for i := range keys {
		totalWeight += weighted(weights, i, 1)
	}
	var area float64
	var errorSum, fraction float64 // S and a of the formula
	for ties := range tiedRows(keys, weights) {
		tiesFraction := 0.0 // b − a of the formula
		tiesErrorSum := 0.0 // e(b − a) of the formula
		for _, i := range ties {
			tiesFraction += weighted(weights, i, 1)
			tiesErrorSum += weighted(weights, i, errors[i])
		}
		tiesFraction /= totalWeight
		tiesErrorSum /= totalWeight
		meanError := tiesErrorSum / tiesFraction // e of the formula
		area += tiesErrorSum
		if fraction > 0 {
			logRatio := portable.Log1p(tiesFraction / fraction) // log(b/a)
			area += float64((errorSum - float64(meanError*fraction)) * logRatio)
		}
		errorSum += tiesErrorSum
		fraction += tiesFraction
	}
	return area
}
