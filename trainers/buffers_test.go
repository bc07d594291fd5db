package trainers_test

import (
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/models/networks"
	"sml/trainers"
)

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
