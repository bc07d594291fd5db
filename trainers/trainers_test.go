package trainers_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/models"
	"sml/trainers"
)

// wave is a small problem: y = sin(2x₁) + x₂/2.
func wave(n int) data.Rows {
	var r data.Rows
	for i := range n {
		a, b := math.Sin(float64(7*i)), math.Cos(float64(3*i))
		r.X = append(r.X, float32(a), float32(b))
		r.Y = append(r.Y, float32(math.Sin(2*a)+b/2))
	}
	return r
}

func specOf(t *testing.T, method string) models.Spec {
	t.Helper()
	s, err := models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{8, 8}, Activation: "relu", Dropout: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func train(t *testing.T, method string, s trainers.Settings, o trainers.Options) *trainers.Result {
	t.Helper()
	r, err := trainers.Train(t.Context(), specOf(t, method), wave(50), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func weights(r *trainers.Result) [][]float32 {
	var all [][]float32
	for _, p := range r.Members {
		all = append(all, p.Float32s())
	}
	return all
}

func equal(a, b *trainers.Result) bool {
	return slices.EqualFunc(weights(a), weights(b), slices.Equal[[]float32]) &&
		slices.EqualFunc(a.History.Rows, b.History.Rows, func(x, y models.Epoch) bool {
			return x.Member == y.Member && x.Epoch == y.Epoch && slices.Equal(x.Values, y.Values)
		})
}

var short = trainers.Settings{Epochs: 5, Batch: 16, Seed: 3}

func TestTrainingLowersTheLoss(t *testing.T) {
	for _, m := range models.Methods() {
		h := train(t, m.Name, trainers.Settings{Epochs: 150, Batch: 10, LearningRate: 0.01}, trainers.Options{}).History
		first, last := h.Rows[0].Values[0], h.Rows[149].Values[0]
		if !(last < first-0.2) {
			t.Errorf("%s: loss %v after the first epoch, %v after the last", m.Name, first, last)
		}
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	for _, method := range []string{"sml", "pu-de"} {
		a := train(t, method, short, trainers.Options{Workers: 1})
		procs := runtime.GOMAXPROCS(1)
		b := train(t, method, short, trainers.Options{Workers: 5})
		runtime.GOMAXPROCS(procs)
		if !equal(a, b) {
			t.Errorf("%s: the number of workers or cores changed the result", method)
		}
		other := short
		other.Seed++
		if equal(a, train(t, method, other, trainers.Options{})) {
			t.Errorf("%s: another seed gave the same result", method)
		}
	}
}

func TestMembersDiffer(t *testing.T) {
	all := weights(train(t, "de", short, trainers.Options{}))
	for i := range all {
		for j := range i {
			if slices.Equal(all[i], all[j]) {
				t.Errorf("members %d and %d are equal", i, j)
			}
		}
	}
	one := short
	one.Members = 1
	if !slices.Equal(weights(train(t, "de", one, trainers.Options{}))[0], all[0]) {
		t.Error("an ensemble of one is not the first member of a larger one")
	}
}

// 50 rows in batches of 16: 3 whole ones an epoch, and 2 rows left over.
func TestLastPartialBatch(t *testing.T) {
	paper := train(t, "mc", short, trainers.Options{})
	sound := short
	sound.Mode = data.Sound
	if got, want := paper.Steps, 5*3; got != want {
		t.Errorf("paper mode made %d steps, want %d", got, want)
	}
	if got, want := train(t, "mc", sound, trainers.Options{}).Steps, 5*4; got != want {
		t.Errorf("sound mode made %d steps, want %d", got, want)
	}
}

// An interrupted training, resumed from its checkpoint, ends as if it had
// never been interrupted.
func TestResume(t *testing.T) {
	for name, s := range map[string]trainers.Settings{
		"plain":      {Epochs: 9, Batch: 16},
		"sound":      {Epochs: 9, Batch: 16, Mode: data.Sound, Schedule: trainers.Cosine, Clip: 0.5, Decay: 0.01},
		"validation": {Epochs: 9, Batch: 16, Validation: 0.2, Patience: 3},
	} {
		for _, method := range []string{"sml", "pu-de"} {
			whole := train(t, method, s, trainers.Options{})
			dir := filepath.Join(t.TempDir(), "checkpoint")
			ctx, cancel := context.WithCancel(t.Context())
			job := []byte(`{"some":"job"}`)
			_, err := trainers.Train(ctx, specOf(t, method), wave(50), s, trainers.Options{
				Workers: 2, Checkpoint: dir, Job: job,
				Progress: func(p trainers.Progress) {
					if p.Epoch == 4 {
						cancel()
					}
				},
			})
			var interrupted *trainers.Interrupted
			if !errors.As(err, &interrupted) {
				t.Fatalf("%s, %s: %v", name, method, err)
			}
			text, states, err := trainers.ReadCheckpoint(dir, "")
			if err != nil || string(text) != string(job) {
				t.Fatalf("%s, %s: checkpoint %q, %v", name, method, text, err)
			}
			if !equal(whole, train(t, method, s, trainers.Options{Resume: states})) {
				t.Errorf("%s, %s: the resumed training differs", name, method)
			}
		}
	}
}

func TestBestEpochIsKept(t *testing.T) {
	// A learning rate so large that the loss soon rises again.
	s := trainers.Settings{Epochs: 60, Batch: 10, LearningRate: 0.05, Validation: 0.3, Patience: 5, Seed: 1}
	r := train(t, "mc", s, trainers.Options{})
	last := len(r.History.Columns) - 1
	if r.History.Columns[last] != "validation loss" {
		t.Fatalf("columns %v", r.History.Columns)
	}
	best, at := math.Inf(1), 0
	for _, e := range r.History.Rows {
		if e.Values[last] < best {
			best, at = e.Values[last], e.Epoch
		}
	}
	if n := len(r.History.Rows); n != at+5 && n != 60 {
		t.Errorf("%d epochs with the best at %d and patience 5", n, at)
	}
	cut := s
	cut.Epochs, cut.Patience = at, 0
	if !slices.Equal(weights(r)[0], weights(train(t, "mc", cut, trainers.Options{}))[0]) {
		t.Error("the weights are not those of the best epoch")
	}
}

func TestInitialWeights(t *testing.T) {
	mc := train(t, "mc", short, trainers.Options{})
	still := short
	still.LearningRate = 1e-30
	if sml := train(t, "sml", still, trainers.Options{From: mc.Members}); !slices.Equal(weights(sml)[0], weights(mc)[0]) {
		t.Error("training did not start from the given weights")
	}
	if _, err := trainers.Train(t.Context(), specOf(t, "pu"), wave(50), short, trainers.Options{From: mc.Members}); err == nil {
		t.Error("weights of another network were taken")
	}
}

func TestDiverged(t *testing.T) {
	_, err := trainers.Train(t.Context(), specOf(t, "mc"), wave(50), trainers.Settings{Epochs: 50, Batch: 10, LearningRate: 1e20}, trainers.Options{})
	var d *trainers.Diverged
	if !errors.As(err, &d) {
		t.Fatalf("error %v, want a *Diverged", err)
	}
	if d.Epoch < 1 || d.Step < 1 || !strings.Contains(err.Error(), "smaller learning rate") {
		t.Errorf("%v", err)
	}
	rows := wave(50)
	rows.X[7] = float32(math.MaxFloat32)
	_, err = trainers.Train(t.Context(), specOf(t, "mc"), rows, trainers.Settings{Epochs: 50, Batch: 50}, trainers.Options{})
	if err == nil || !strings.Contains(err.Error(), "look at the data") {
		t.Errorf("an extreme input: %v", err)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for want, s := range map[string]trainers.Settings{
		"epochs":            {Epochs: -1},
		"learning rate":     {LearningRate: -0.1},
		"beta1":             {Adam: trainers.Adam{Beta1: 1}},
		"validation rows":   {Validation: 1},
		"patience":          {Patience: 3},
		"unknown schedule":  {Schedule: "linear"},
		"unknown engine":    {Engine: "steam"},
		"single network":    {Members: 3},
		"batch of 100 rows": {},
		"batch of 45 rows":  {Batch: 45, Validation: 0.5},
		"more than 0":       {LearningRate: math.Inf(1)},
		"gradient clipping": {Clip: math.NaN()},
	} {
		_, err := trainers.Train(t.Context(), specOf(t, "sml"), wave(50), s, trainers.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v does not say %q", s, err, want)
		}
	}
	if _, err := trainers.Train(t.Context(), specOf(t, "sml"), data.Rows{X: make([]float32, 3), Y: make([]float32, 1)}, short, trainers.Options{}); err == nil {
		t.Error("rows of the wrong width were taken")
	}
}

func TestProgress(t *testing.T) {
	epochs := make(map[int]int)
	train(t, "de", short, trainers.Options{Progress: func(p trainers.Progress) {
		epochs[p.Member]++
		if p.Members != 5 || p.Epochs != 5 || p.Epoch != epochs[p.Member] || p.Stopped != (p.Epoch == 5) {
			t.Errorf("%+v", p)
		}
	}})
	if len(epochs) != 5 {
		t.Errorf("progress of %d members", len(epochs))
	}
}
