package data

import (
	"context"
	"math/rand/v2"

	"sml/internal/portable"
)

// randomFolds are ten folds of one permutation, which follows from the seed. Paper
// protocol makes all folds ⌊n/10⌋ rows long and never tests on the n mod 10 rows
// left over; the sound protocol tests on every row once.
var randomFolds = SplitKind{
	Name: "random", Summary: "a tenth of the rows, at random", Source: thePaper, Folds: folds,
	Test: "test", Train: "train", Blind: true,
	Mark: func(_ context.Context, t *Table, fold int, protocol Protocol, seed uint64) ([]bool, error) {
		n := t.Rows()
		if protocol == Paper {
			n -= n % folds
		}
		return permuted(t.Rows(), fold*n/folds, (fold+1)*n/folds, seed), nil
	},
}

// singleRandom trains on 80 % of the same permutation.
var singleRandom = SplitKind{
	Name: "single-random", Summary: "a fifth of the rows, at random", Source: theNotebook, Folds: 1, Blind: true,
	Mark: func(_ context.Context, t *Table, _ int, _ Protocol, seed uint64) ([]bool, error) {
		return permuted(t.Rows(), t.Rows()*4/5, t.Rows(), seed), nil
	},
}

// permuted marks the rows at positions from up to to of a permutation.
func permuted(n, from, to int, seed uint64) []bool {
	test := make([]bool, n)
	for _, r := range portable.Perm(rand.New(rand.NewPCG(seed, splitStream)), n)[from:to] {
		test[r] = true
	}
	return test
}
