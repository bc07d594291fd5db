package split

import (
	"context"

	"sml/data"
)

// pcaFolds is cut at the deciles of the inputs' first principal component. Under both protocols
// the component is fitted on the standardised inputs of all rows, since it defines the split.
var pcaFolds = Kind{
	Name:         "pca",
	Summary:      "rows between two tenths of the quantiles of the inputs' first principal component",
	Source:       thePaper,
	Folds:        folds,
	Mark:         markInterval(principalComponent, decile),
	Extrapolates: isOutermost,
	Test:         "pca-interpolate",
	Outer:        "pca-extrapolate",
}

var singlePCA = Kind{
	Name:    "single-pca",
	Summary: "rows above the median of the inputs' first principal component",
	Source:  theNotebook,
	Folds:   1,
	Mark:    markInterval(principalComponent, aboveMedian),
}

func principalComponent(ctx context.Context, t *data.Table) ([]float64, error) {
	return t.PrincipalComponent(ctx)
}
