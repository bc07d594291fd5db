package split

import (
	"cmp"
	"context"
	"slices"

	"sml/data"
	"sml/internal/portable"
)

// stratifiedFolds has ten folds, each with its share of every tenth of the target: the numbers
// of rows that two folds have of one tenth differ by at most one. The seed decides which rows
// these are, and which of several rows with equal targets belong to a tenth that ends among
// them. Of classes each fold has its share of every class, as in the random split.
var stratifiedFolds = Kind{
	Name:    "stratified",
	Summary: "a tenth of the rows of every tenth of the target's quantiles, at random",
	Source:  "Kohavi 1995, stratified cross-validation",
	Folds:   folds,
	Mark: func(ctx context.Context, t *data.Table, o Options) ([]bool, error) {
		if o.ByClass {
			return markByClass(t, folds, o), nil
		}
		y, err := onlyTarget(ctx, t)
		if err != nil {
			return nil, err
		}
		r, n := newRand(o.Seed), len(y)
		order := portable.Perm(r, n)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
		tested := make([]bool, n)
		for tenth := range folds {
			from, to := tenth*n/folds, (tenth+1)*n/folds
			for i, at := range portable.Perm(r, to-from) { // rows go to the folds in turn, across tenths
				tested[order[from+at]] = (from+i)%folds == o.Fold
			}
		}
		return tested, nil
	},
}
