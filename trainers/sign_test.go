package trainers_test

import (
	"sml/models"
	"sml/trainers/optimizer"
)

// An optimizer from outside, signSGD with momentum: Bernstein et al. 2018, algorithm 2.
func init() {
	optimizer.Register(optimizer.Optimizer{
		Name: "signum", Summary: "steps of the learning rate against the sign of a momentum", Source: "Bernstein et al. 2018, algorithm 2",
		LearningRate: 0.0001, Rates: models.Range{Min: 1e-9, Max: 0.1}, // every step is as long as Adam's first
		Hyperparameters: []models.Hyperparameter{
			{Name: "beta", Default: 0.9, Range: models.Range{Min: 0, Max: 1}, Help: "fraction of the momentum that a step keeps"},
		},
		New: func(h models.Hyperparameters, weights int) optimizer.State {
			return &signum{float32(h.Float("beta")), make([]float32, weights)}
		},
	})
}

type signum struct {
	beta float32
	mean []float32 // running mean of the gradient
}

func (s *signum) Slots() []optimizer.Slot { return []optimizer.Slot{{Name: "mean", Values: s.mean}} }

func (s *signum) Step(values, grad []float32, info optimizer.StepInfo) {
	rate, shrink := float32(info.Rate), float32(info.Rate*info.Decay)
	for i, g := range grad {
		s.mean[i] = float32(s.beta*s.mean[i]) + float32((1-s.beta)*g)
		values[i] -= float32(shrink * values[i])
		switch {
		case s.mean[i] > 0:
			values[i] -= rate
		case s.mean[i] < 0:
			values[i] += rate
		}
	}
}
