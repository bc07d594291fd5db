package main

import (
	"math"
	"testing"

	"sml/evaluation/export/onnx/ort"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
	"sml/trainers"
)

// The predicted standard deviation of every row is the trained parameter of its network, also in a loaded model.
func TestGlobalNoiseIsTheParameter(t *testing.T) {
	f := newFitted(t, "global-noise", 1)
	m := f.train(t, trainers.Options{})
	want := portable.Exp(float64(expect.Must(models.FindParameter(m.Members[0], logNoise)).Values[0]))
	if !(want < 0.9) {
		t.Errorf("the trained standard deviation is %v; a training lowers it from 1", want)
	}
	for _, model := range []*models.Model{m, saveAndLoad(t, m)} {
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
		variance += portable.Exp(float64(2*expect.Must(models.FindParameter(params, logNoise)).Values[0])) / 3
	}
	for _, p := range predict(t, m, f.rows)[:20] {
		if !(p.Std()*p.Std() > variance) {
			t.Fatalf("the variance %v is below the mean variance of the members, %v", p.Std()*p.Std(), variance)
		}
	}
}

// An ONNX file has the noise of each member, and of a network with copies.
func TestGlobalNoiseONNX(t *testing.T) {
	ort.RequireRuntime(t)
	compareONNX(t, "global-noise", "--members", "2")
	compareONNX(t, "global-noise", "--network", "tabm")
}
