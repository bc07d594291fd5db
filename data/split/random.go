package split

import (
	"context"
	"math/rand/v2"

	"sml/data"
	"sml/internal/portable"
)

// randomFolds has ten folds of one permutation, which follows from the seed. Under the paper
// protocol all folds have ⌊n/10⌋ rows, and the remaining n mod 10 rows are never tested on; the
// sound protocol tests on every row once.
var randomFolds = Kind{
	Name:    "random",
	Summary: "a tenth of the rows, at random",
	Source:  thePaper,
	Folds:   folds,
	Test:    "test",
	Train:   "train",
	Blind:   true,
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		n := t.Rows()
		if o.Protocol == data.Paper {
			n -= n % folds
		}
		return markPermuted(t.Rows(), o.Fold*n/folds, (o.Fold+1)*n/folds, o.Seed), nil
	},
}

// singleRandom trains on 80 % of the same permutation.
var singleRandom = Kind{
	Name:    "single-random",
	Summary: "a fifth of the rows, at random",
	Source:  theNotebook,
	Folds:   1,
	Blind:   true,
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
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

// newRand returns a generator for splits: other users of the same seed draw other numbers.
func newRand(seed uint64) *rand.Rand {
	const stream = 0x73706c6974
	return rand.New(rand.NewPCG(seed, stream))
}
