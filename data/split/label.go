package split

import (
	"context"
	"fmt"

	"sml/data"
)

// labelFolds has ten folds, which are cut at the deciles of the target.
var labelFolds = Kind{
	Name:         "label",
	Summary:      "rows between two tenths of the target's quantiles",
	Source:       thePaper,
	Folds:        folds,
	Mark:         markInterval(onlyTarget, decile),
	Extrapolates: isOutermost,
	Test:         "label-interpolate",
	Outer:        "label-extrapolate",
}

// singleLabel trains on the rows up to the median of the target, and tests on the others.
var singleLabel = Kind{
	Name:    "single-label",
	Summary: "rows with a target above the median",
	Source:  theNotebook,
	Folds:   1,
	Mark:    markInterval(onlyTarget, aboveMedian),
}

// onlyTarget returns the values of the only target, one for each row. It returns an error if the
// table does not have exactly one target.
func onlyTarget(_ context.Context, t *data.Table) ([]float64, error) {
	if len(t.Targets) != 1 {
		return nil, fmt.Errorf("the table has %d targets; splitting by the label needs exactly one", len(t.Targets))
	}
	return t.Y, nil
}
