package main

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
	"sml/trainers/optimizer"
)

// Two steps of Muon move a hidden matrix as the authors' program does, in float64 in PyTorch 1.13 (their
// functions zeropower_via_newtonschulz5 and muon_update, with weight decay 0.1), and a matrix of the last layer as Adam does.
func TestMuonMovesHiddenMatrices(t *testing.T) {
	for _, c := range []struct {
		inputs, units int
		want          []float64
	}{
		{2, 3, []float64{-0.01315, 0.078951, 0.175457, 0.32228, 0.401982, 0.493036}},
		{3, 2, []float64{0.002166, 0.07946, 0.175469, 0.308006, 0.387753, 0.481993}},
	} {
		t.Run(fmt.Sprintf("%d inputs, %d units", c.inputs, c.units), func(t *testing.T) {
			const n = 6 // weights of each of the two matrices
			group := func(rate float64) optimizer.Group {
				return optimizer.Group{To: 2 * n, Rate: rate, Decay: true, Shapes: []optimizer.Shape{
					{Name: "hidden1.weight", Rows: c.inputs, Columns: c.units},
					{Name: "output.weight", From: n, Rows: c.units, Columns: c.inputs},
				}}
			}
			muon := expect.Must(optimizer.Lookup("muon"))
			adam := expect.Must(optimizer.Lookup("adam"))
			m := expect.Must(muon.Start(expect.Must(muon.Choose(nil)), 2*n, group(1)))
			a := expect.Must(adam.Start(expect.Must(adam.Choose(nil)), 2*n, group(0.05))) // the default of adam-rate
			values := make([]float32, 2*n)
			for i := range n {
				values[i] = float32(i) / 10
				values[n+i] = float32(i)
			}
			byAdam := slices.Clone(values)
			for step := 1; step <= 2; step++ {
				grad := make([]float32, 2*n)
				for i := range grad {
					grad[i] = float32((i*7+step*3)%11)/11 - 0.4
				}
				info := optimizer.StepInfo{Step: step, Rate: 0.02, Decay: 0.1}
				m.Step(values, slices.Clone(grad), info)
				a.Step(byAdam, grad, info)
			}
			for i, want := range c.want {
				if math.Abs(float64(values[i])-want) > 2e-6 {
					t.Errorf("weight %d of the hidden matrix is %v, want %v", i, values[i], want)
				}
			}
			if !slices.Equal(values[n:], byAdam[n:]) {
				t.Errorf("the last layer is %v, want Adam's %v", values[n:], byAdam[n:])
			}
		})
	}
}

// A training with Muon could resume from a checkpoint to the same bytes.
func TestMuonResumes(t *testing.T) {
	muon := expect.Must(optimizer.Lookup("muon"))
	expect.NoError(t, muon.CheckResumable(expect.Must(muon.Choose(nil))))
}

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
