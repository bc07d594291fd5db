package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// Rows without a target train the method, other methods leave them out, and these start from its hidden layers.
func TestPretrainingThenTraining(t *testing.T) {
	table, dir := writeFriedman(t, 300, 10), t.TempDir()
	pretrained, trained := filepath.Join(dir, "pretrained"), filepath.Join(dir, "trained")
	train := func(flags ...string) string {
		t.Helper()
		out, messages := run(t, append([]string{"train", table, "--target", "y", "--hidden", "8", "--epochs", "2", "--split", "none"}, flags...)...)
		return messages + out
	}
	said := train("--method", "pretraining", "--out", pretrained)
	if !strings.Contains(said, "of 300 rows, 30 have y") || !strings.Contains(said, "trained on 300 of the 300 rows") {
		t.Errorf("the pretraining says %q", said)
	}
	said = train("--method", "pu", "--init-from", pretrained, "--lr", "1e-9", "--average", "none", "--out", trained)
	if !strings.Contains(said, "270 rows have no target and are left out") {
		t.Errorf("the training says %q", said)
	}
	from, to := expect.Must(models.Load(pretrained)), expect.Must(models.Load(trained))
	for _, p := range to.Members[0].List() {
		want := expect.Must(models.FindParameter(from.Members[0], p.Name)).Values
		for i, v := range expect.Must(models.FindParameter(to.Members[0], p.Name)).Values {
			if math.Abs(float64(v-want[i])) > 1e-6 {
				t.Fatalf("%s[%d] is %v; the training starts from %v and hardly moves", p.Name, i, v, want[i])
			}
		}
	}
	if _, err := models.FindParameter(to.Members[0], "decoder.weight"); err == nil {
		t.Error("the model has the decoder of the pretraining")
	}
}

// Unlabelled rows change the hidden layers alone: with the weight 0 of the reconstruction, a training of one full batch on
// 700 rows, 70 of them labelled, is a training on the labelled rows.
func TestUnlabelledRowsCountForTheReconstruction(t *testing.T) {
	weights := func(weight float64, labelledAlone bool) []float32 {
		f := newFitted(t, "pretraining", 1)
		f.spec.Weighted, f.rows.W = false, nil
		f.spec.Hyperparameters["weight"] = weight
		f.settings = trainers.Settings{Epochs: 3, Batch: 700, Members: 1, Seed: 5, LearningRate: 0.005, Protocol: data.Sound}
		for row := range 700 {
			switch {
			case row%10 > 0:
				f.rows.Y[row] = math.NaN()
			case labelledAlone:
				f.rows.Indices = append(f.rows.Indices, int32(row))
			}
		}
		f.spec.PartlyKnown = !labelledAlone
		return f.train(t, trainers.Options{}).Members[0].Float32s()
	}
	difference := func(a, b []float32) float64 {
		largest := 0.0
		for i := range a {
			largest = max(largest, math.Abs(float64(a[i]-b[i])))
		}
		return largest
	}
	if d := difference(weights(0, false), weights(0, true)); !(d < 1e-4) {
		t.Errorf("unlabelled rows change weights by %v without a reconstruction", d)
	}
	if d := difference(weights(1, false), weights(1, true)); !(d > 1e-3) {
		t.Errorf("unlabelled rows change weights by only %v with a reconstruction", d)
	}
}

// Weights of rows and unlabelled rows together are an error, since a row would have two weights.
func TestPretrainingRefusesWeights(t *testing.T) {
	f := newFitted(t, "pretraining", 1) // its rows have weights
	f.rows.Y[3] = math.NaN()
	f.spec.PartlyKnown = true
	expect.Error(t, expect.ErrorOf(trainers.Train(t.Context(), f.spec, f.rows, f.settings, trainers.Options{})), "MeanOfRows: rows have weights, and some lack a target: method pretraining needs rows without weights")
}
