package main

import (
	"math"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// The method "sam", whose graph has the step to the worst weights, and the optimizer "sam", which computes a second
// gradient with the method "de", come to the same weights but for rounding.
func TestSharpnessAsTheOptimizer(t *testing.T) {
	a := models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{8}, Activation: "tanh"}
	rows := data.Subset{X: []float64{-1, -0.5, 0, 0.5, 1, 1.5}, Y: []float64{1, 0.25, 0, 0.25, 1, 2.25}}
	settings := trainers.Settings{Epochs: 20, Batch: 3, Seed: 4, Members: 1, LearningRate: 0.01}
	inGraph := expect.Must(models.NewSpec("sam", models.Hyperparameters{"rho": 0.1}, a))
	plain := expect.Must(models.NewSpec("de", nil, a))
	want := mustTrain(t, inGraph, rows, settings, trainers.Options{})
	settings.Optimizer, settings.OptimizerHyperparameters = "sam", models.Hyperparameters{"rho": 0.1}
	got := mustTrain(t, plain, rows, settings, trainers.Options{})
	for i, w := range want.Members[0].Float32s() {
		if v := got.Members[0].Float32s()[i]; math.Abs(float64(v-w)) > 1e-5 {
			t.Errorf("weight %d is %v, and with the method sam %v", i, v, w)
		}
	}
}
