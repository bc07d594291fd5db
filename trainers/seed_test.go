package trainers_test

import (
	"slices"
	"testing"

	"sml/trainers"
)

// Splits, folds, seeds and members have different random numbers. The same fold of a table has the same
// random numbers for every method.
func TestFoldSeeds(t *testing.T) {
	if s := (trainers.Settings{Seed: 7}); s.FoldSeed() != 7 {
		t.Errorf("without a split the seed is %d, not 7", s.FoldSeed())
	}
	seen := make(map[uint64]trainers.Settings)
	for _, split := range []string{"", "random", "pca", "label"} {
		for fold := range 10 {
			for seed := range uint64(20) {
				s := trainers.Settings{Seed: seed, Split: split, Fold: fold}
				if split == "" && fold > 0 {
					continue
				}
				if other, ok := seen[s.FoldSeed()]; ok {
					t.Fatalf("%+v and %+v share their randomness", s, other)
				}
				seen[s.FoldSeed()] = s
			}
		}
	}
}

func TestFoldsDiffer(t *testing.T) {
	still := trainers.Settings{Epochs: 1, Batch: 16, LearningRate: 1e-9, Seed: 3, Split: "random"}
	other := still
	other.Fold = 1
	a, b := train(t, "mc", still, trainers.Options{}), train(t, "mc", other, trainers.Options{})
	same := 0
	for i, v := range weights(a)[0] {
		if v == weights(b)[0][i] {
			same++
		}
	}
	if same > 1 {
		t.Errorf("two folds begin with %d equal weights", same)
	}
	if sml := train(t, "sml", still, trainers.Options{}); !slices.EqualFunc(weights(a)[0], weights(sml)[0], func(x, y float32) bool { return x-y < 1e-6 && y-x < 1e-6 }) {
		t.Error("two methods begin the same fold with other weights")
	}
}
