package leaks

import (
	"cmp"
	"math"
	"slices"

	"sml/data"
)

// maxFeatures is the maximum number of features of a ridge regression; its time grows with their square.
const maxFeatures = 200

// fitTogether returns the held-out R² of ridge regression on all columns but the leaks, for the best of
// several penalties.
func fitTogether(columns []Column, fits []Fit, isLeak []bool, y *outcome, s *sample) float64 {
	inputs := features(columns, fits, isLeak)
	if len(inputs) == 0 {
		return 0
	}
	normal := newNormalEquations(inputs, y.outputs, s)
	best := math.Inf(-1)
	for _, penalty := range []float64{1e-4, 1e-2, 1e-1} {
		best = max(best, score(y, s, normal.learner(penalty, normal.allFeatures())))
	}
	return best
}

// features returns the features that a ridge regression reads: a column of standardised numbers for each
// column of numbers or dates, and an indicator for each frequent category. Missing values have the mean; an
// indicator marks them if there are several. Columns that predict the target best come first.
func features(columns []Column, fits []Fit, isLeak []bool) (features [][]float64) {
	var order []int
	for i := range columns {
		if !isLeak[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fits[b].R2, fits[a].R2) })
	for _, i := range order {
		own := columnFeatures(columns[i], fits[i].IsBetterAsCategory)
		if len(features)+len(own) > maxFeatures {
			break
		}
		features = append(features, own...)
	}
	return features
}

// columnFeatures returns the features of a column.
func columnFeatures(c Column, asCategory bool) (features [][]float64) {
	const (
		maxCategories = 32
		minRows       = 5 // minimum number of rows of a category with an indicator, or of missing values
	)
	if asCategory || c.Field.Kind == data.Category {
		for _, category := range frequentValues(c.Values, maxCategories, minRows) {
			features = append(features, indicate(c.Values, category))
		}
	} else {
		features = append(features, standardise(c.Values))
	}
	missing := 0
	for _, v := range c.Values {
		if math.IsNaN(v) {
			missing++
		}
	}
	if missing >= minRows {
		features = append(features, markMissing(c.Values))
	}
	return features
}
