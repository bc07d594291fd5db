package data

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// folds is the number of those of random, pca and label splits.
const folds = 10

// pcaFolds are cut at tenths of the quantiles of the inputs' first principal
// component. That is fitted on the standardised inputs of all rows under both
// protocols, as it defines the split, and found once for all folds of a table.
var pcaFolds = SplitKind{
	Name: "pca", Summary: "rows between two tenths of the quantiles of the inputs' first principal component", Source: thePaper, Folds: folds,
	Mark: marked(component, tenth), Extrapolates: outermost, Test: "pca-interpolate", Outer: "pca-extrapolate",
}

// labelFolds are cut at tenths of the target's quantiles.
var labelFolds = SplitKind{
	Name: "label", Summary: "rows between two tenths of the target's quantiles", Source: thePaper, Folds: folds,
	Mark: marked(onlyTarget, tenth), Extrapolates: outermost, Test: "label-interpolate", Outer: "label-extrapolate",
}

var singlePCA = SplitKind{
	Name: "single-pca", Summary: "rows above the median of the inputs' first principal component", Source: theNotebook, Folds: 1, Mark: marked(component, upperHalf),
}

var singleLabel = SplitKind{
	Name: "single-label", Summary: "rows with a target above the median", Source: theNotebook, Folds: 1, Mark: marked(onlyTarget, upperHalf),
}

// outermost tells whether a fold has the lowest or the highest values.
func outermost(fold int) bool { return fold == 0 || fold == folds-1 }

// onlyTarget returns the values of the only target.
func onlyTarget(_ context.Context, t *Table) ([]float64, error) {
	if len(t.Targets) != 1 {
		return nil, fmt.Errorf("the table has %d targets (%s); splitting by the label needs exactly one", len(t.Targets), list(t.Targets))
	}
	return t.Y, nil
}

// marked marks the rows of a fold by one value of each row. within returns what
// tells, of all values in ascending order, whether the fold has one.
func marked(values func(context.Context, *Table) ([]float64, error), within func(sorted []float64, fold int, protocol Protocol) func(v float64) bool) func(context.Context, *Table, int, Protocol, uint64) ([]bool, error) {
	return func(ctx context.Context, t *Table, fold int, protocol Protocol, _ uint64) ([]bool, error) {
		values, err := values(ctx, t)
		if err != nil {
			return nil, err
		}
		tested := within(slices.Sorted(slices.Values(values)), fold, protocol)
		test := make([]bool, len(values))
		for r, v := range values {
			test[r] = tested(v)
		}
		return test, nil
	}
}

// tenth is from the quantile k/10 to (k+1)/10 for fold k. Paper protocol includes
// both ends, so that a row on an edge is tested twice; the sound protocol leaves
// the upper end to the next fold.
func tenth(sorted []float64, fold int, protocol Protocol) func(v float64) bool {
	low, high := quantile(sorted, float64(fold)/folds), quantile(sorted, float64(fold+1)/folds)
	closed := protocol == Paper || fold == folds-1 // the last bin has no next one
	return func(v float64) bool { return low <= v && (v < high || closed && v == high) }
}

// upperHalf is above the median: what is at or below it is trained on.
func upperHalf(sorted []float64, _ int, _ Protocol) func(v float64) bool {
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
