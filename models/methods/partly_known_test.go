package methods_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
)

// partlyKnown returns a network of a method with two targets, some of them unknown.
func partlyKnown(t *testing.T, method string) models.Spec {
	s := spec(t, method, nil, func(a *models.Architecture) { a.Targets = 2 })
	s.PartlyKnown = true
	return s
}

// isKnown reports whether element i of the targets [rows, 2] is known in these tests: every third is not.
func isKnown(i int) bool { return i%3 != 0 }

// The gradient of every registered objective is right where some targets are unknown, by finite differences.
func TestGradientsWithUnknownTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, m := range models.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			s := partlyKnown(t, m.Name)
			value := func(name string, i int, normal float64) float64 {
				if name == models.InputWeight && !isKnown(i) {
					return 0
				}
				return s.TypicalInput(name, i, normal)
			}
			checkGradients(t, m.Name, lossOf(s, 6), gradcheck.Settings{Seed: 1, Value: value}, 1e-6)
		})
	}
}

// An unknown target changes no bit of the loss and of its gradient, in both engines.
func TestUnknownTargetsChangeNothing(t *testing.T) {
	for _, m := range models.Methods() {
		for _, engine := range graph.Engines() {
			t.Run(m.Name+"/"+string(engine), func(t *testing.T) {
				s := partlyKnown(t, m.Name)
				first := lossAndGradient(t, s, engine, 0)
				second := lossAndGradient(t, s, engine, 1)
				if !slices.Equal(first, second) {
					t.Error("an unknown target changes the loss or the gradient")
				}
				if slices.Max(first) == 0 {
					t.Error("the loss and the gradient are 0")
				}
			})
		}
	}
}

// lossAndGradient returns the loss of eight rows, and its gradient. Unknown targets have the given value.
func lossAndGradient(t *testing.T, s models.Spec, engine graph.Engine, unknown float32) []float32 {
	t.Helper()
	params := expect.Must(s.NewParams(3))
	step := expect.Must(s.NewStep(engine, params, 8))
	defer step.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range step.X {
		step.X[i] = float32(s.TypicalInput(models.InputX, i, random.NormFloat64()))
	}
	for i := range step.Y {
		step.Y[i] = float32(s.TypicalInput(models.InputY, i, random.NormFloat64()))
		step.Weight[i] = 1.5
		if !isKnown(i) {
			step.Y[i] = unknown
			step.Weight[i] = 0
		}
	}
	expect.NoError(t, step.Scale(nil, nil))
	for i := range step.InputRange {
		step.InputRange[i] = 4
	}
	expect.NoError(t, step.Run(models.Position{Step: 1, Steps: 2, Epoch: 1, Epochs: 2, Rows: 8, Masks: graph.MaskKey{Seed: 4}}))
	return append([]float32{step.Loss()}, step.Gradient()...)
}
