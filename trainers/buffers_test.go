package trainers_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/models/networks"
	"sml/trainers"
)

// A training with batch normalisation goes on from a checkpoint to the same bytes,
// running statistics among them, also where an earlier epoch is the best.
func TestResumeWithBuffers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	spec := registered(t, "batch-norm", models.Method{Objective: squared, DropLayers: models.AllLayers}, func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(graph.Pass) *graph.Node {
			h := b.Tanh(networks.BatchNorm(b, "norm", networks.Dense(b, "hidden1", x, 8)))
			return networks.Dense(b, "output", h, a.Outputs)
		}
	})
	for name, s := range map[string]trainers.Settings{
		"plain":      {Epochs: 9, Batch: 16, Seed: 3},
		"validation": {Epochs: 9, Batch: 10, Seed: 3, Validation: 0.2, Patience: 5, LearningRate: 0.1},
		"chain":      {Epochs: 9, Batch: 10, Seed: 3, Protocol: data.Sound, Clip: 0.1, Decay: 0.1},
	} {
		whole, err := trainers.Train(t.Context(), spec, wave(50), s, trainers.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if mean := parameter(t, whole.Members[0], "norm.running_mean"); slices.Max(mean) == slices.Min(mean) {
			t.Errorf("%s: the running mean has stayed %v", name, mean)
		}
		dir := filepath.Join(t.TempDir(), "checkpoint")
		ctx, cancel := context.WithCancel(t.Context())
		_, err = trainers.Train(ctx, spec, wave(50), s, trainers.Options{Checkpoint: dir, Progress: func(p trainers.Progress) {
			if p.Epoch == 4 {
				cancel()
			}
		}})
		var interrupted *trainers.InterruptedError
		if !errors.As(err, &interrupted) {
			t.Fatalf("%s: %v", name, err)
		}
		_, states, err := trainers.ReadCheckpoint(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		resumed, err := trainers.Train(t.Context(), spec, wave(50), s, trainers.Options{Resume: states})
		if err != nil {
			t.Fatal(err)
		}
		if !equal(whole, resumed) {
			t.Errorf("%s: the resumed training differs", name)
		}
	}
}

// A last batch that is too small for a layer is an error before the first step.
func TestRemainderOfOneRow(t *testing.T) {
	spec := registered(t, "batch-norm-of-one", models.Method{Objective: squared}, func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(graph.Pass) *graph.Node {
			return networks.Dense(b, "output", networks.BatchNorm(b, "norm", networks.Dense(b, "hidden1", x, 8)), a.Outputs)
		}
	})
	steps := 0
	_, err := trainers.Train(t.Context(), spec, wave(50), trainers.Settings{Epochs: 3, Batch: 7, Protocol: data.Sound}, trainers.Options{Progress: func(trainers.Progress) { steps++ }})
	if want := `batches of 7 leave 1 of 50 rows for the last batch of an epoch: BatchNorm "norm": a batch of one row has no variance`; err == nil || !strings.Contains(err.Error(), want) || steps > 0 {
		t.Errorf("got %v after %d steps, want %s", err, steps, want)
	}
}
