package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"sml/cmd"
	"sml/data"
	"sml/models"
	"sml/trainers"
	"sml/trainers/check"
)

// Each objective passes the checks; the student with a teacher that was trained before.
func TestFurtherObjectives(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, method := range []string{"smooth", "tobit", "three-classes", "vicreg", "sam", "mixup", "manifold-mixup", "trimmed"} {
		t.Run(method, func(t *testing.T) { check.Test(t, method, nil) })
	}
	table, teacher := filepath.Join(t.TempDir(), "f.csv"), filepath.Join(t.TempDir(), "teacher")
	rows := "a,b,c,y\n"
	for _, row := range []string{"1,2,0.5,1", "0.3,-1,2,2", "-1,0.2,0.1,0", "2,1,-1,3", "0.5,0.4,0.3,1.5"} {
		rows += row + "\n"
	}
	if err := os.WriteFile(table, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	if code := cmd.Run(t.Context(), []string{"sml", "train", "--data", table, "--method", "de", "--members", "1", "--epochs", "3", "--batch", "5", "--quiet", "--out", teacher}, nil, os.Stderr, os.Stderr); code != 0 {
		t.Fatal(code)
	}
	r, err := check.Method("student", check.Settings{Hyperparameters: models.Hyperparameters{"teacher": teacher}, Targets: 1, Seed: 1}) // as many as the teacher has
	if err != nil || !r.Passed() {
		t.Errorf("%v\n%s", err, r)
	}
}

// The method "sam", whose graph has the step to the worst weights, and the optimizer "sam", which computes a second
// gradient with the method "de", come to the same weights but for rounding.
func TestSharpnessAsTheOptimizer(t *testing.T) {
	a := models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{8}, Activation: "tanh"}
	rows := data.Subset{X: []float64{-1, -0.5, 0, 0.5, 1, 1.5}, Y: []float64{1, 0.25, 0, 0.25, 1, 2.25}}
	settings := trainers.Settings{Epochs: 20, Batch: 3, Seed: 4, Members: 1, LearningRate: 0.01}
	inGraph, err := models.NewSpec("sam", models.Hyperparameters{"rho": 0.1}, a)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := models.NewSpec("de", nil, a)
	if err != nil {
		t.Fatal(err)
	}
	want, err := trainers.Train(t.Context(), inGraph, rows, settings, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	settings.Optimizer, settings.OptimizerHyperparameters = "sam", models.Hyperparameters{"rho": 0.1}
	got, err := trainers.Train(t.Context(), plain, rows, settings, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want.Members[0].Float32s() {
		if v := got.Members[0].Float32s()[i]; math.Abs(float64(v-w)) > 1e-5 {
			t.Errorf("weight %d is %v, and with the method sam %v", i, v, w)
		}
	}
}
