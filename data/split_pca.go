package data

import "context"

// pcaFolds are cut at tenths of the quantiles of the inputs' first principal
// component. That is fitted on the standardised inputs of all rows under both
// protocols, as it defines the split, and found once for all folds of a table.
var pcaFolds = SplitKind{
	Name: "pca", Summary: "rows between two tenths of the quantiles of the inputs' first principal component", Source: thePaper, Folds: folds,
	Mark: tenths(component), Extrapolates: outermost, Test: "pca-interpolate", Outer: "pca-extrapolate",
}

var singlePCA = SplitKind{
	Name: "single-pca", Summary: "rows above the median of the inputs' first principal component", Source: theNotebook, Folds: 1, Mark: upperHalf(component),
}

func component(ctx context.Context, t *Table) ([]float64, error) { return t.project(ctx) }
