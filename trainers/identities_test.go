package trainers

import (
	"slices"
	"testing"

	"sml/internal/expect"
	"sml/models"
)

// Degenerate cases are identities, to the last bit of the weights: an ensemble of one member is this
// member's method, and a second-moment loss with a single term is the method of this term.
func TestIdentities(t *testing.T) {
	one := short
	one.Members = 1
	trained := func(method string, chosen models.Hyperparameters, drop models.Layers) *Result {
		t.Helper()
		spec := expect.Must(models.NewSpec(method, chosen, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{8, 8}, Dropout: 0.1, Drop: drop}))
		r := mustTrain(t, spec, wave(50), one, Options{})
		for i, row := range r.History.Rows {
			r.History.Rows[i].Values = row.Values[:1] // terms are logged beside the loss
		}
		return r
	}
	for _, m := range shipped() {
		if m.MemberMethod != "" && !equal(trained(m.Name, nil, ""), trained(m.MemberMethod, nil, "")) {
			t.Errorf("an ensemble of one %s is not %s", m.Name, m.MemberMethod)
		}
	}
	if !equal(trained("sml", models.Hyperparameters{"beta": 0}, ""), trained("de", nil, "")) {
		t.Error("SML with β = 0 and γ = 0 is not the squared error of the full network")
	}
	if !equal(trained("sml", models.Hyperparameters{"alpha": 0, "beta": 0, "gamma": 1}, ""), trained("mc", nil, "")) {
		t.Error("SML with γ = 1 alone is not MC")
	}
	if !equal(trained("mc", nil, models.LastLayer), trained("mc-ll", nil, "")) {
		t.Error("MC that drops in the last layer is not MC-LL")
	}
	if !equal(trained("mc", nil, models.NoLayers), trained("de", nil, "")) {
		t.Error("MC that drops nowhere is not the squared error of the full network")
	}
}

// Splits, folds, seeds and members have different random numbers. The same fold of a table has the same
// random numbers for every method.
func TestFoldSeeds(t *testing.T) {
	if s := (Settings{Seed: 7}); s.FoldSeed() != 7 {
		t.Errorf("without a split the seed is %d, not 7", s.FoldSeed())
	}
	seen := make(map[uint64]Settings)
	for _, split := range []string{"", "random", "pca", "label"} {
		for fold := range 10 {
			for seed := range uint64(20) {
				s := Settings{Seed: seed, Split: split, Fold: fold}
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
	still := Settings{Epochs: 1, Batch: 16, LearningRate: 1e-9, Seed: 3, Split: "random"}
	other := still
	other.Fold = 1
	a, b := train(t, "mc", still, Options{}), train(t, "mc", other, Options{})
	same := 0
	for i, v := range weights(a)[0] {
		if v == weights(b)[0][i] {
			same++
		}
	}
	if same > 1 {
		t.Errorf("two folds begin with %d equal weights", same)
	}
	if sml := train(t, "sml", still, Options{}); !slices.EqualFunc(weights(a)[0], weights(sml)[0], func(x, y float32) bool { return x-y < 1e-6 && y-x < 1e-6 }) {
		t.Error("two methods begin the same fold with other weights")
	}
}
