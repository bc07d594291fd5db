package models_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"sml/graph"
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

// What AfterStep keeps is there in its next call, and after the training. Parameters leave out buffers.
func TestKeep(t *testing.T) {
	m := storing()
	m.AfterStep = func(n *models.Trajectory) error {
		sum := n.Keep("sum", 1, 2)
		sum[0] += float32(n.Step)
		sum[1] += n.Parameters()[1] * float32(n.Steps)
		return nil
	}
	m.AfterTraining = func(_ context.Context, n *models.TrainedNetwork) error {
		kept := n.KeptValues("sum")
		if n.KeptValues("other") != nil {
			t.Error("a matrix that was not kept is there")
		}
		return n.Store("spread", 1, 1, []float64{float64(kept[0]) + float64(kept[1])})
	}
	s := register(t, m)
	params := expect.Must(s.NewParams(3))
	path := expect.Must(s.NewTrajectory(params, nil))
	want := float32(0)
	for step := range 3 {
		values := graph.ParamValues(params, params.Float32s(), 0)
		values[1] += 0.25
		want += float32(1+step) + values[1]*3
		expect.NoError(t, s.RunAfterStep(path, 1+step, 3))
	}
	stored := expect.Must(s.RunAfterTraining(t.Context(), models.AfterTrainingRows{Count: 1}, models.AfterTrainingOptions{Params: params, KeptMatrices: path.KeptMatrices()}))
	if got := stored[0].Values[0]; math.Abs(float64(got-want)) > 1e-6*float64(want) {
		t.Errorf("kept %v, want %v", got, want)
	}
}

// Random numbers after a training are standard normal, and others for another stream or seed. Source:
// the mean and the variance of n draws have standard errors of 1/√n and √(2/n).
func TestNormalNumbers(t *testing.T) {
	const count = 10_000
	var first []float64
	m := storing()
	m.AfterTraining = func(_ context.Context, n *models.TrainedNetwork) error {
		first = n.Normal(0, count)
		if n.Normal(1, 1)[0] == first[0] || n.Normal(0, 1)[0] != first[0] {
			t.Error("numbers do not follow from their stream")
		}
		return n.Store("spread", 1, 1, []float64{1})
	}
	s := register(t, m)
	params := expect.Must(s.NewParams(3))
	draw := func(seed uint64) []float64 {
		if _, err := s.RunAfterTraining(t.Context(), models.AfterTrainingRows{Count: 1}, models.AfterTrainingOptions{Params: params, Seed: seed}); err != nil {
			t.Fatal(err)
		}
		return first
	}
	if draw(1)[0] == draw(2)[0] {
		t.Error("two seeds have the same numbers")
	}
	mean, variance := 0.0, 0.0
	for _, v := range first {
		mean += v / count
		variance += v * v / count
	}
	if math.Abs(mean) > 5/math.Sqrt(count) || math.Abs(variance-1) > 5*math.Sqrt(2.0/count) {
		t.Errorf("mean %v and variance %v of standard normal numbers", mean, variance)
	}
}
