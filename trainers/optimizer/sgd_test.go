package optimizer_test

import (
	"math"
	"testing"

	"sml/models"
	"sml/trainers/optimizer"
)

// By hand, from the definition in torch.optim.SGD's documentation (dampening 0, no
// Nesterov): v = μ·v + g, w = w − lr·v, with lr = 0.1. Decay, 0 there, takes lr·0.1
// of each weight first.
//
//	μ = 0.9:              v = 1, 1.4, 1.06         w = 1 − 0.1, − 0.14, − 0.106
//	                      v = −2, −1.8, −5.62      w = −0.5 + 0.2, + 0.18, + 0.562
//	μ = 0:                v = g                    w = 1 − 0.1, − 0.05, + 0.02
//	                                               w = −0.5 + 0.2, + 0, + 0.4
//	μ = 0.9, decay 0.1:   0.99 − 0.1 = 0.89        0.8811 − 0.14 = 0.7411      0.733689 − 0.106 = 0.627689
//	                      −0.495 + 0.2 = −0.295    −0.29205 + 0.18 = −0.11205  −0.1109295 + 0.562 = 0.4510705
func TestSGDAsInPyTorch(t *testing.T) {
	o := lookup(t, "sgd")
	gradients := [][]float32{{1, -2}, {0.5, 0}, {-0.2, -4}}
	for _, c := range []struct {
		momentum, decay float64
		want            []float64
	}{
		{0.9, 0, []float64{0.654, 0.442}},
		{0, 0, []float64{0.87, 0.1}},
		{0.9, 0.1, []float64{0.627689, 0.4510705}},
	} {
		values, s := []float32{1, -0.5}, start(t, o, models.Hyperparameters{"momentum": c.momentum}, 2)
		for i, g := range gradients {
			s.Step(values, g, optimizer.StepInfo{Step: i + 1, Rate: 0.1, Decay: c.decay})
		}
		for i := range c.want {
			if math.Abs(float64(values[i])-c.want[i]) > 2e-7 {
				t.Errorf("momentum %v, decay %v: value %d is %v, want %v", c.momentum, c.decay, i, values[i], c.want[i])
			}
		}
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
