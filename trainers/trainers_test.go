package trainers

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/safefile"
	"sml/models"
)

func TestSameSeedSameBytes(t *testing.T) {
	for _, method := range []string{"sml", "pu-de"} {
		a := train(t, method, short, Options{Workers: 1})
		procs := runtime.GOMAXPROCS(1)
		b := train(t, method, short, Options{Workers: 5})
		runtime.GOMAXPROCS(procs)
		if !equal(a, b) {
			t.Errorf("%s: the number of workers or cores changed the result", method)
		}
		other := short
		other.Seed++
		if equal(a, train(t, method, other, Options{})) {
			t.Errorf("%s: another seed gave the same result", method)
		}
	}
}

func TestMembersDiffer(t *testing.T) {
	all := weights(train(t, "de", short, Options{}))
	for i := range all {
		for j := range i {
			if slices.Equal(all[i], all[j]) {
				t.Errorf("members %d and %d are equal", i, j)
			}
		}
	}
	one := short
	one.Members = 1
	if !slices.Equal(weights(train(t, "de", one, Options{}))[0], all[0]) {
		t.Error("an ensemble of one is not the first member of a larger one")
	}
}

// 50 rows in batches of 16: 3 whole ones an epoch, and 2 rows left over.
func TestLastPartialBatch(t *testing.T) {
	paper := train(t, "mc", short, Options{})
	sound := short
	sound.Protocol = data.Sound
	if got, want := paper.Steps, 5*3; got != want {
		t.Errorf("the paper protocol made %d steps, want %d", got, want)
	}
	if got, want := train(t, "mc", sound, Options{}).Steps, 5*4; got != want {
		t.Errorf("the sound protocol made %d steps, want %d", got, want)
	}
}

// A checkpoint of files that no training has written is refused before they
// are read.
func TestCheckpointIsBounded(t *testing.T) {
	for _, name := range []string{"state.json", "state.safetensors"} {
		dir := filepath.Join(t.TempDir(), "checkpoint")
		expect.NoError(t, WriteCheckpoint(dir, "", nil, interrupted(t, Options{})))
		path := filepath.Join(dir, name)
		if err := os.Truncate(path, 1<<40); err != nil {
			t.Skip("no sparse files here:", err)
		}
		if _, _, err := ReadCheckpoint(dir, ""); !errors.Is(err, safefile.ErrTooLarge) {
			t.Errorf("%s of a terabyte: %v", name, err)
		}
	}
}

func TestBestEpochIsKept(t *testing.T) {
	// A learning rate so large that the loss soon rises again.
	s := Settings{Epochs: 60, Batch: 10, LearningRate: 0.05, Validation: 0.3, Patience: 5, Seed: 1}
	r := train(t, "mc", s, Options{})
	last := len(r.History.Columns) - 1
	if r.History.Columns[last] != "validation loss" {
		t.Fatalf("columns %v", r.History.Columns)
	}
	best, at := math.Inf(1), 0
	for _, e := range r.History.Rows {
		if e.Values[last] < best {
			best, at = e.Values[last], e.Number
		}
	}
	if n := len(r.History.Rows); n != at+5 && n != 60 {
		t.Errorf("%d epochs with the best at %d and patience 5", n, at)
	}
	cut := s
	cut.Epochs, cut.Patience = at, 0
	if !slices.Equal(weights(r)[0], weights(train(t, "mc", cut, Options{}))[0]) {
		t.Error("the weights are not those of the best epoch")
	}
}

// A training that diverges by an extreme input is not blamed on the learning rate alone.
func TestDivergedByAnInput(t *testing.T) {
	rows := wave(50)
	rows.X[7] = math.MaxFloat32
	expect.Error(t, trainError(t, specOf(t, "mc"), rows, Settings{Epochs: 50, Batch: 50}, Options{}), "look at the data")
}

func TestSettingsAreChecked(t *testing.T) {
	adam := func(name string, value float64) Settings {
		return Settings{Adam: models.Hyperparameters{name: value}}
	}
	for _, c := range []struct {
		want string
		s    Settings
	}{
		{"epochs is -1: want 1 to 1000000", Settings{Epochs: -1}},
		{"epochs is 4611686018427387904", Settings{Epochs: 1 << 62}},
		{"batch is -1: want 1 to 1048576", Settings{Batch: -1}},
		{"learning rate is -0.1: want 1e-09 to 1", Settings{LearningRate: -0.1}},
		{"learning rate is +Inf", Settings{LearningRate: math.Inf(1)}},
		{"beta1 is 1: want 0 to 0.999999", adam("beta1", 1)},
		{"beta2 is -1", adam("beta2", -1)},
		{"epsilon is 1e+300", adam("epsilon", 1e300)},
		{"validation rows is 1: want 0 to less than 1", Settings{Validation: 1}},
		{"batch of 100 rows", Settings{}},
		{"batch of 45 rows", Settings{Batch: 45, Validation: 0.5}},
		{"gradient clipping is NaN: want 1e-06 to 1e+09, or 0 for none", Settings{Clip: math.NaN()}},
		{"weight decay is 1e-300", Settings{Decay: 1e-300}},
		{"weight decay is -1", Settings{Decay: -1}},
		{"weight decay 200 at a learning rate of 0.01 changes the sign of weights in a step: want a decay below 100", Settings{Decay: 200, LearningRate: 0.01}},
	} {
		expect.Error(t, trainError(t, specOf(t, "sml"), wave(50), c.s, Options{}), c.want)
	}
	// Together they can be too many.
	for _, c := range []struct {
		want string
		s    Settings
	}{
		{"number of members is -5: want 1 to 1000", Settings{Members: -5}},
		{"100 members times 1000000 epochs are 100000000: want at most 5000000", Settings{Members: 100, Epochs: 1_000_000}},
		{"choose a batch of at most", Settings{Members: 1000, Batch: 1 << 14, Validation: 0.1}},
	} {
		expect.Error(t, expect.ErrorOf(Resolve(specOf(t, "de"), c.s)), c.want)
	}
	made := specOf(t, "sml") // by hand, without NewSpec
	made.Architecture.Hidden = []int{1_000_000_000}
	expect.Error(t, expect.ErrorOf(Resolve(made, short)), "want 1 to 65536")
	if _, err := Train(t.Context(), specOf(t, "sml"), data.Subset{X: make([]float64, 3), Y: make([]float64, 1)}, short, Options{}); err == nil {
		t.Error("rows of the wrong width were taken")
	}
}

// The number of a step has 32 bits.
func TestStepsAreBounded(t *testing.T) {
	rows := wave(5000)
	expect.Error(t, trainError(t, specOf(t, "mc"), rows, Settings{Epochs: 1_000_000, Batch: 1}, Options{}), "5000000000 steps: want less than 4294967295")
}

func TestProgress(t *testing.T) {
	epochs := make(map[int]int)
	train(t, "de", short, Options{Progress: func(p Progress) {
		epochs[p.Member]++
		if p.Members != 5 || p.Epochs != 5 || p.Epoch != epochs[p.Member] || p.Finished != (p.Epoch == 5) {
			t.Errorf("%+v", p)
		}
	}})
	if len(epochs) != 5 {
		t.Errorf("progress of %d members", len(epochs))
	}
}
