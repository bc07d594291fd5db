package split

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/internal/portable"
)

// randomFolds has ten folds of one permutation, which follows from the seed. Under the paper
// protocol all folds have ⌊n/10⌋ rows, and the remaining n mod 10 rows are never tested on; the
// sound protocol tests on every row once. Of classes every row is tested on once under both, and
// each fold has its share of every class.
var randomFolds = Kind{
	Name:          "random",
	Summary:       "a tenth of the rows, at random",
	Source:        thePaper,
	Folds:         folds,
	Test:          "test",
	Train:         "train",
	IgnoresValues: true,
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		if o.ByClass {
			return markByClass(t, folds, o), nil
		}
		n := t.Rows()
		if o.Protocol == data.Paper {
			n -= n % folds
		}
		return markPermuted(t.Rows(), o.Fold*n/folds, (o.Fold+1)*n/folds, o.Seed), nil
	},
}

// singleRandom trains on 80 % of the same permutation, or on 80 % of every class.
var singleRandom = Kind{
	Name:          "single-random",
	Summary:       "a fifth of the rows, at random",
	Source:        theNotebook,
	Folds:         1,
	IgnoresValues: true,
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		if o.ByClass {
			return markByClass(t, 5, o), nil
		}
		return markPermuted(t.Rows(), t.Rows()*4/5, t.Rows(), o.Seed), nil
	},
}

// markPermuted marks the rows at the positions in [from, to) of a permutation of n rows.
func markPermuted(n, from, to int, seed uint64) []bool {
	tested := make([]bool, n)
	for _, r := range portable.Perm(newRand(seed), n)[from:to] {
		tested[r] = true
	}
	return tested
}

// markByClass marks the rows of one of several folds, each of which has its share of every class.
func markByClass(t *data.Table, folds int, o Options) []bool {
	fold := DealByClass(data.RowClasses(t.Y, len(t.Targets)), folds, newRand(o.Seed))
	tested := make([]bool, len(fold))
	for r := range fold {
		tested[r] = fold[r] == o.Fold
	}
	return tested
}

// DealByClass returns the fold of each row, from 0. The rows of a class go to the folds in turn and
// in random order: the numbers of rows that two folds have of one class differ by at most one, and
// so do their numbers of rows.
func DealByClass(classes []float64, folds int, r *rand.Rand) []int {
	order := portable.Perm(r, len(classes))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(classes[a], classes[b]) })
	fold := make([]int, len(classes))
	for i, row := range order {
		fold[row] = i % folds
	}
	return fold
}

// newRand returns a generator for splits: other users of the same seed draw other numbers.
func newRand(seed uint64) *rand.Rand {
	const stream = 0x73706c6974
	return rand.New(rand.NewPCG(seed, stream))
}
