package main

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"sml/evaluation/export/onnx/ort"
	"sml/internal/portable"
	"sml/models"
	"sml/trainers"
	"sml/trainers/check"
)

// The predicted standard deviation of every row is the trained parameter of its network, also in a loaded model.
func TestGlobalNoiseIsTheParameter(t *testing.T) {
	f := newFitted(t, "global-noise", 1)
	m := f.train(t, trainers.Options{})
	noise, err := models.FindParameter(m.Members[0], logNoise)
	if err != nil {
		t.Fatal(err)
	}
	want := portable.Exp(float64(noise.Values[0]))
	if !(want < 0.9) {
		t.Errorf("the trained standard deviation is %v; a training lowers it from 1", want)
	}
	dir := filepath.Join(t.TempDir(), "model")
	if err := m.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	loaded, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []*models.Model{m, loaded} {
		for row, p := range predict(t, model, f.rows) {
			if !(math.Abs(p.Std()-want) <= 1e-12) {
				t.Fatalf("row %d: standard deviation %v; want %v", row, p.Std(), want)
			}
		}
	}
}

// The members of an ensemble, and the copies of one network, each have a mean of their own; members have a noise of
// their own, and copies share one. The variance of a mixture is the mean variance plus the variance of the means.
func TestGlobalNoiseOfSeveralNetworks(t *testing.T) {
	f := newFitted(t, "global-noise", 3)
	m := f.train(t, trainers.Options{})
	variance := 0.0
	for _, params := range m.Members {
		noise, err := models.FindParameter(params, logNoise)
		if err != nil {
			t.Fatal(err)
		}
		variance += portable.Exp(float64(2*noise.Values[0])) / 3
	}
	for _, p := range predict(t, m, f.rows)[:20] {
		if !(p.Std()*p.Std() > variance) {
			t.Fatalf("the variance %v is below the mean variance of the members, %v", p.Std()*p.Std(), variance)
		}
	}
}

// A training that is interrupted resumes to the same noise.
func TestGlobalNoiseResumes(t *testing.T) {
	f := newFitted(t, "global-noise", 1)
	want := f.train(t, trainers.Options{})
	dir := filepath.Join(t.TempDir(), "checkpoint")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := trainers.Options{Checkpoint: dir, Program: "p", Progress: func(p trainers.Progress) {
		if p.Epoch == 2 {
			stop()
		}
	}}
	_, err := trainers.Train(ctx, f.spec, f.rows, f.settings, o)
	var interrupted *trainers.InterruptedError
	if !errors.As(err, &interrupted) {
		t.Fatal(err)
	}
	_, states, err := trainers.ReadCheckpoint(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	got := f.train(t, trainers.Options{Resume: states})
	if !slices.Equal(got.Members[0].Float32s(), want.Members[0].Float32s()) {
		t.Error("the resumed training ends with other parameters")
	}
}

// An ONNX file has the noise of each member, and of a network with copies.
func TestGlobalNoiseONNX(t *testing.T) {
	ort.RequireRuntime(t)
	compareONNX(t, "global-noise", "--members", "2")
	compareONNX(t, "global-noise", "--network", "tabm")
}

// The method passes the checks.
func TestGlobalNoiseChecks(t *testing.T) {
	check.Test(t, "global-noise", nil)
}
