package data

import (
	"context"
	"fmt"
)

// labelFolds are cut at tenths of the target's quantiles.
var labelFolds = SplitKind{
	Name: "label", Summary: "rows between two tenths of the target's quantiles", Source: thePaper, Folds: folds,
	Mark: tenths(onlyTarget), Extrapolates: outermost, Test: "label-interpolate", Outer: "label-extrapolate",
}

var singleLabel = SplitKind{
	Name: "single-label", Summary: "rows with a target above the median", Source: theNotebook, Folds: 1, Mark: upperHalf(onlyTarget),
}

// onlyTarget returns the values of the only target.
func onlyTarget(_ context.Context, t *Table) ([]float64, error) {
	if len(t.Targets) != 1 {
		return nil, fmt.Errorf("the table has %d targets (%s); splitting by the label needs exactly one", len(t.Targets), list(t.Targets))
	}
	return t.Y, nil
}
