package split

import (
	"context"

	"sml/data"
)

// pcaFolds has ten folds, which are cut at the deciles of the inputs' first principal component:
// the direction of the largest variance of the standardised inputs. Under both protocols the component is
// fitted on all rows, test rows included, since it defines the split.
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

// singlePCA trains on the rows up to the median of the first principal component, and tests on
// the others.
var singlePCA = Kind{
	Name:    "single-pca",
	Summary: "rows above the median of the inputs' first principal component",
	Source:  theNotebook,
	Folds:   1,
	Mark:    markInterval(principalComponent, aboveMedian),
}

// principalComponent returns the coordinate of each row along the inputs' first principal
// component.
func principalComponent(ctx context.Context, t *data.Table) ([]float64, error) {
	return t.PrincipalComponent(ctx)
}
