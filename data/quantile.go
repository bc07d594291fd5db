package data

import (
	"context"
	"math"
	"slices"
)

// folds is the number of those of random, pca and label splits.
const folds = 10

// outermost tells whether a fold has the lowest or the highest values.
func outermost(fold int) bool { return fold == 0 || fold == folds-1 }

// values are one for each row, by which a table is split.
type values func(ctx context.Context, t *Table) ([]float64, error)

// tenths marks the rows between the quantiles k/10 and (k+1)/10 for fold k, which
// are interpolated linearly. Paper protocol includes both ends, so that a row on
// an edge is tested twice; the sound protocol leaves the upper end to the next fold.
func tenths(by values) func(context.Context, *Table, int, Protocol, uint64) ([]bool, error) {
	return func(ctx context.Context, t *Table, fold int, protocol Protocol, _ uint64) ([]bool, error) {
		values, err := by(ctx, t)
		if err != nil {
			return nil, err
		}
		sorted := slices.Sorted(slices.Values(values))
		low := quantile(sorted, float64(fold)/folds)
		high := quantile(sorted, float64(fold+1)/folds)
		closed := protocol == Paper || fold == folds-1 // the last bin has no next one
		test := make([]bool, len(values))
		for r, v := range values {
			test[r] = low <= v && (v < high || closed && v == high)
		}
		return test, nil
	}
}

// upperHalf marks the rows above the median: those at or below it are trained on.
func upperHalf(by values) func(context.Context, *Table, int, Protocol, uint64) ([]bool, error) {
	return func(ctx context.Context, t *Table, _ int, _ Protocol, _ uint64) ([]bool, error) {
		values, err := by(ctx, t)
		if err != nil {
			return nil, err
		}
		median := quantile(slices.Sorted(slices.Values(values)), 0.5)
		test := make([]bool, len(values))
		for r, v := range values {
			test[r] = v > median
		}
		return test, nil
	}
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
