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

// A valuesFunc returns one value for each row of a table. Rows are split by these values.
type valuesFunc func(context.Context, *data.Table) ([]float64, error)

// An intervalFunc returns a function that reports whether a value lies in the test interval of
// fold o.Fold. The values of all rows are sorted in ascending order.
type intervalFunc func(sorted []float64, o Options) (contains func(v float64) bool)

// markInterval returns a function for Kind.Mark. It marks the rows whose value, as rowValues
// returns it, lies in the interval that foldInterval chooses for the fold.
func markInterval(rowValues valuesFunc, foldInterval intervalFunc) func(context.Context, *data.Table, Options) ([]bool, error) {
	return func(ctx context.Context, t *data.Table, o Options) ([]bool, error) {
		values, err := rowValues(ctx, t)
		if err != nil {
			return nil, err
		}
		isTest := foldInterval(slices.Sorted(slices.Values(values)), o)
		return markRows(values, isTest), nil
	}
}

// decile returns the test for the interval from the quantile k/10 to the quantile (k+1)/10, for
// fold k. The paper protocol includes both ends, so that a row on an edge is tested twice; the
// sound protocol leaves the upper end to the next fold.
func decile(sorted []float64, o Options) func(v float64) bool {
	lower := quantile(sorted, float64(o.Fold)/folds)
	upper := quantile(sorted, float64(o.Fold+1)/folds)
	isLastFold := o.Fold == folds-1 // no next fold tests on the upper end
	includesUpper := o.Protocol == data.Paper || isLastFold
	return func(v float64) bool {
		isBelowUpper := v < upper || includesUpper && v == upper
		return lower <= v && isBelowUpper
	}
}

// isOutermost reports whether a fold of the lowest or the highest decile is given: its test rows
// lie outside of the range of its training rows.
func isOutermost(fold int) bool { return fold == 0 || fold == folds-1 }

// aboveMedian returns a function that reports whether a value is above the median.
func aboveMedian(sorted []float64, _ Options) func(v float64) bool {
	median := quantile(sorted, 0.5)
	return func(v float64) bool { return v > median }
}

// quantile returns the quantile of sorted values at a level from 0 to 1. It interpolates linearly
// between the two nearest values, with the same operations in the same order as numpy.quantile
// (its function _lerp): otherwise, rounding could put a value on the other side of a fold's edge
// than the published splits do.
//
// float64(x*y) keeps the compiler from fusing the product with the sum after it, which would round
// differently.
func quantile(sorted []float64, level float64) float64 {
	last := len(sorted) - 1
	position := float64(float64(last) * level) // fractional index of the quantile
	floor := math.Floor(position)
	i := int(floor)
	if i >= last {
		return sorted[last]
	}
	below, above := sorted[i], sorted[i+1]
	weight := position - floor // of the value above
	if weight >= 0.5 {
		return above - float64((above-below)*(1-weight)) // numpy starts from the nearer value
	}
	return below + float64((above-below)*weight)
}
