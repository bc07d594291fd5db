package data

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"sml/internal/portable"
)

// stratifiedFolds are ten folds, each with its share of every tenth of the target,
// the lowest to the highest: what that has of one differs by one row at most from
// what another has. Which rows they are follows from the seed, and so do the tenths
// of rows with one target, where a tenth ends among them.
var stratifiedFolds = SplitKind{
	Name: "stratified", Summary: "a tenth of the rows of every tenth of the target's quantiles, at random", Source: "Kohavi 1995, stratified cross-validation", Folds: folds,
	Mark: func(ctx context.Context, t *Table, fold int, _ Protocol, seed uint64) ([]bool, error) {
		y, err := onlyTarget(ctx, t)
		if err != nil {
			return nil, err
		}
		r, n := rand.New(rand.NewPCG(seed, splitStream)), len(y)
		order := portable.Perm(r, n)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
		test := make([]bool, n)
		for tenth := range folds {
			from, to := tenth*n/folds, (tenth+1)*n/folds
			for i, at := range portable.Perm(r, to-from) { // dealt in turns, from where the tenth below ended
				test[order[from+at]] = (from+i)%folds == fold
			}
		}
		return test, nil
	},
}
