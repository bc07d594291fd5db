package optimizer_test

import (
	"math"
	"strings"
	"testing"

	"sml/models"
	"sml/trainers/optimizer"
)

// The first step moves every weight by the learning rate, whatever β is: both moments are corrected for their start at 0.
// Source: Kingma and Ba 2015, section 2.1, where a step is at most the learning rate.
func TestFirstStepOfAdam(t *testing.T) {
	for _, beta := range [][2]float64{{0, 0}, {0, 0.999}, {0.9, 0.9}, {0.999, 0.999}, {0.99999, 0.99999}, {0.999999, 0.999999}} {
		values, s := []float32{0, 0}, start(t, adam(t), models.Hyperparameters{"beta1": beta[0], "beta2": beta[1]}, 2)
		s.Step(values, []float32{0.3, -20}, optimizer.StepInfo{Step: 1, Rate: 0.01})
		for i, want := range []float64{-0.01, 0.01} {
			if math.Abs(float64(values[i])-want) > 1e-5 {
				t.Errorf("β = %v: weight %d moves to %v; want %v", beta, i, values[i], want)
			}
		}
	}
}

// A gradient has a square beyond float32: the second moment stays finite, and a warning says that
// the weight has stopped.
func TestAdamSaturates(t *testing.T) {
	values, s := []float32{1, 1}, start(t, adam(t), nil, 2)
	if text := s.(optimizer.Warner).Warning("", 0.01); text != "" {
		t.Errorf("before any step: %q", text)
	}
	s.Step(values, []float32{1e30, 1}, optimizer.StepInfo{Step: 1, Rate: 0.01})
	s.(optimizer.EpochEnder).EndEpoch()
	if v := s.Slots()[1]; v.Name != "v" || v.Values[0] != math.MaxFloat32 || v.Values[1] > 1 {
		t.Errorf("%+v", v)
	}
	const want = "gradients of member 1 of up to 2e+19 have almost stopped 1 of 2 weights"
	if text := s.(optimizer.Warner).Warning(" of member 1", 0.01); !strings.Contains(text, want) {
		t.Error(text)
	}
}

// The velocity of a weight that no gradient reaches any more ends at 0, and in no
// denormal number.
func TestSGDComesToRest(t *testing.T) {
	o := lookup(t, "sgd")
	values, s := []float32{1}, start(t, o, nil, 1)
	for i := range 1000 {
		s.Step(values, []float32{float32(max(0, 1-i))}, optimizer.StepInfo{Step: i + 1, Rate: 0.01})
	}
	if v := s.Slots()[0].Values[0]; v != 0 {
		t.Errorf("the velocity is %v", v)
	}
}
