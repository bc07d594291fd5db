package leaks

import (
	"math"

	"sml/data"
)

// fitColumn scores how well a column predicts the target by itself. Categories are predicted by their
// means, numbers and dates by a small tree.
func fitColumn(c Column, y *outcome, s *sample) Fit {
	if c.Field.Kind == data.Category {
		return Fit{R2: score(y, s, categoryLearner(c.Values, y, s))}
	}
	fit := Fit{R2: score(y, s, treeLearner(c.Values, y, s))}
	if c.Field.Kind == data.Number && mayBeCategory(c.Values) {
		const minGain = 0.1 // minimum difference of the R² of categories and numbers
		asCategory := score(y, s, categoryLearner(c.Values, y, s))
		if asCategory > max(fit.R2, 0)+minGain {
			return Fit{R2: asCategory, IsBetterAsCategory: true}
		}
	}
	return fit
}

// mayBeCategory reports whether numbers may be the names of categories: whole numbers, few different ones.
func mayBeCategory(values []float64) bool {
	const minDistinct, maxDistinct = 3, 256
	const minRowsPerCategory = 10 // mean number
	distinct := make(map[float64]bool)
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if v != math.Trunc(v) {
			return false
		}
		distinct[v] = true
		if len(distinct) > maxDistinct || minRowsPerCategory*len(distinct) > len(values) {
			return false
		}
	}
	return len(distinct) >= minDistinct
}
