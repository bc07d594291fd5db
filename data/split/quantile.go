package split

import (
	"context"
	"math"
	"slices"

	"sml/data"
)

// folds is the number of folds of the random, pca, label and stratified splits, and the maximum
// of the group split.
const folds = 10

// An interval returns a function that reports whether a value lies in the fold's interval of
// the values, which are sorted in ascending order.
type interval func(sorted []float64, o Options) (contains func(v float64) bool)

// markInterval returns a function for Kind.Mark that tests on the rows whose value lies in the
// fold's interval. There is one value for each row.
func markInterval(values func(context.Context, *data.Table) ([]float64, error), fold interval) func(context.Context, *data.Table, Options) ([]bool, error) {
	return func(ctx context.Context, t *data.Table, o Options) ([]bool, error) {
		values, err := values(ctx, t)
		if err != nil {
			return nil, err
		}
		return markRows(values, fold(slices.Sorted(slices.Values(values)), o)), nil
	}
}

// decile is the interval from the quantile k/10 to the quantile (k+1)/10 for fold k. The paper
// protocol includes both ends, so that a row on an edge is tested twice; the sound protocol
// leaves the upper end to the next fold.
func decile(sorted []float64, o Options) func(v float64) bool {
	low, high := quantile(sorted, float64(o.Fold)/folds), quantile(sorted, float64(o.Fold+1)/folds)
	closed := o.Protocol == data.Paper || o.Fold == folds-1 // the last fold has no next one
	return func(v float64) bool { return low <= v && (v < high || closed && v == high) }
}

// isOutermost reports whether a fold has the lowest or the highest values.
func isOutermost(fold int) bool { return fold == 0 || fold == folds-1 }

// aboveMedian returns a function that reports whether a value is above the median.
func aboveMedian(sorted []float64, _ Options) func(v float64) bool {
	median := quantile(sorted, 0.5)
	return func(v float64) bool { return v > median }
}

// quantile interpolates linearly in sorted values, operation by operation as
// numpy.quantile does: a value on a fold's edge must fall on the same side of it.
// The conversions keep compilers from fusing, which would round differently.
func quantile(sorted []float64, q float64) float64 {
	at := float64(float64(len(sorted)-1) * q)
	below := math.Floor(at)
	i := int(below)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	a, b, t := sorted[i], sorted[i+1], at-below
	if t >= 0.5 {
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}
