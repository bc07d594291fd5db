package models_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"sml/internal/expect"
	"sml/models"
)

// Mistakes in a function after each step are found before a training.
func TestAfterStepMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		after func(n *models.Trajectory) error
		want  string
	}{
		"an error": {func(*models.Trajectory) error { return errors.New("ouch") }, "after each step of method storing: ouch"},
		"a panic":  {func(*models.Trajectory) error { panic("ouch") }, "ouch"},
		"another shape": {func(n *models.Trajectory) error {
			n.Keep("a", 1, n.Step)
			return nil
		}, `two stored matrices are named "a"`},
		"no name": {func(n *models.Trajectory) error {
			n.Keep("", 1, 1)
			return nil
		}, "needs a name"},
		"not finite": {func(n *models.Trajectory) error {
			n.Keep("a", 2, 3)[4] = float32(math.NaN())
			return nil
		}, `keeps a matrix "a" with the value NaN in row 1, column 1`},
	} {
		m := storing()
		m.AfterStep = c.after
		t.Run(name, func(t *testing.T) { expect.Error(t, register(t, m).Examine(1), c.want) })
	}
}

// A method whose sub-networks are all equal to the full network is an error.
func TestNoSubNetworks(t *testing.T) {
	m := storing()
	m.SubNetworks = models.SubNetworkMoments
	expect.Error(t, register(t, m).Examine(1), "AddSubNetwork")
}

// Random numbers after a training follow from their stream and the seed.
func TestNormalNumbers(t *testing.T) {
	var first []float64
	m := storing()
	m.AfterTraining = func(_ context.Context, n *models.TrainedNetwork) error {
		first = n.Normal(0, 2)
		if n.Normal(1, 1)[0] == first[0] || n.Normal(0, 1)[0] != first[0] {
			t.Error("numbers do not follow from their stream")
		}
		return n.Store("spread", 1, 1, []float64{1})
	}
	s := register(t, m)
	params := expect.Must(s.NewParams(3))
	draw := func(seed uint64) float64 {
		expect.Must(s.RunAfterTraining(t.Context(), models.AfterTrainingRows{Count: 1}, models.AfterTrainingOptions{Params: params, Seed: seed}))
		return first[0]
	}
	if draw(1) == draw(2) {
		t.Error("two seeds have the same numbers")
	}
}
