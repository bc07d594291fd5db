package models_test

import (
	"math"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// A support and classes allow some targets and refuse others. A typical target is always allowed, so that
// checks of an objective stay within its support.
func TestTargetsInTheirSupport(t *testing.T) {
	for _, c := range []struct {
		name     string
		method   models.Method
		in, out  []float64
		refusing string
	}{
		{"real", models.Method{}, []float64{-1, 0, 2.5}, nil, ""},
		{"positive", models.Method{Support: models.Positive}, []float64{1e-9, 3}, []float64{0, -1, math.NaN()}, "method support-positive is for numbers above 0"},
		{"non-negative", models.Method{Support: models.NonNegative}, []float64{0, 3.5}, []float64{-1e-9}, "method support-non-negative is for numbers of 0 or above"},
		{"counts", models.Method{Support: models.Counts}, []float64{0, 1, 1000}, []float64{-1, 0.5}, "method support-counts is for counts, 0, 1, 2, …"},
		{"unit", models.Method{Support: models.UnitInterval}, []float64{1e-9, 0.5}, []float64{0, 1}, "method support-unit is for numbers above 0 and below 1"},
		{"classes", models.Method{Classes: models.Range{Min: 3, Max: 3}}, []float64{0, 2}, []float64{-1, 1.5, 3}, "method support-classes is for classes from 0 to 2"},
	} {
		m := c.method
		m.Name = "support-" + c.name
		m.Objective = func(b *graph.Builder, t *models.Task) *graph.Node { return t.MSE(t.Forward(graph.Full), t.Y) }
		m.Predict = methods.PredictFullNetwork
		models.Register(m)
		s := expect.Must(models.NewSpec(m.Name, nil, models.Architecture{Inputs: 1, Targets: 1}))
		for _, y := range c.in {
			if err := s.CheckTarget(y); err != nil {
				t.Error(err)
			}
		}
		for _, y := range c.out {
			expect.Error(t, s.CheckTarget(y), c.refusing)
		}
		for _, drawn := range []float64{-2000, -100, -1, -1e-30, 0, 1e-30, 0.5, 3, 100, 2000} {
			y, scale := float32(s.TypicalInput(models.InputY, 0, drawn)), s.TypicalTarget()
			if err := s.CheckTarget(float64(y)*scale.Std + scale.Mean); err != nil {
				t.Errorf("%s, in the place of %v: %v", c.name, drawn, err)
			}
		}
	}
}
