package split

import (
	"cmp"
	"context"
	"slices"

	"sml/data"
	"sml/internal/portable"
)

// stratifiedFolds has ten folds, each with a tenth of the rows of every tenth of the target. With
// Options.ByClass, each fold tests on a tenth of every class, as in the random split.
var stratifiedFolds = Kind{
	Name:    "stratified",
	Summary: "a tenth of the rows of every tenth of the target's quantiles, at random",
	Source:  "Kohavi 1995, stratified cross-validation",
	Folds:   folds,
	Mark:    markStratifiedFold,
}

// markStratifiedFold marks the rows of fold o.Fold. It sorts the rows by the target, cuts them into
// ten strata of equal size, and deals the rows of each stratum to the folds in turn, in random
// order: the numbers of rows that two folds have of one stratum differ by at most one. The seed
// also decides the stratum of rows with equal targets if a stratum ends among them.
func markStratifiedFold(ctx context.Context, t *data.Table, o Options) ([]bool, error) {
	if o.ByClass {
		return markByClass(t, folds, o), nil
	}
	target, err := onlyTarget(ctx, t)
	if err != nil {
		return nil, err
	}
	const strata = 10
	n := len(target)
	r := newRand(o.Seed)
	order := portable.Perm(r, n) // the stable sort keeps the random order of equal targets
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(target[a], target[b]) })
	marks := make([]bool, n)
	for stratum := range strata {
		start := stratum * n / strata
		end := (stratum + 1) * n / strata
		for i, position := range portable.Perm(r, end-start) {
			row := order[start+position]
			marks[row] = (start+i)%folds == o.Fold // the count goes on from stratum to stratum, so that folds have equal sizes
		}
	}
	return marks, nil
}
