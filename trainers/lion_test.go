package trainers_test

import (
	"sml/models"
	"sml/trainers/optimizer"
)

// An optimizer from outside: Lion, of Chen et al. 2023, algorithm 2.
func init() {
	optimizer.Register(optimizer.Optimizer{
		Name: "lion", Title: "Lion", Summary: "steps of the learning rate against the sign of an interpolated momentum", Source: "Chen et al. 2023, algorithm 2",
		LearningRate: 0.0001, Rates: models.Range{Min: 1e-9, Max: 0.1}, // every step is as long as Adam's first
		Hyperparameters: []models.Hyperparameter{
			{Name: "beta1", Default: 0.9, Range: models.Range{Min: 0, Max: 1}, Help: "weight of the momentum in a step"},
			{Name: "beta2", Default: 0.99, Range: models.Range{Min: 0, Max: 1}, Help: "decay of the momentum"},
		},
		New: func(h models.Hyperparameters, weights int) optimizer.State {
			return &lion{float32(h.Float("beta1")), float32(h.Float("beta2")), make([]float32, weights)}
		},
	})
}

type lion struct {
	beta1, beta2 float32
	momentum     []float32
}

func (l *lion) Slots() []optimizer.Slot {
	return []optimizer.Slot{{Name: "momentum", Values: l.momentum}}
}

func (l *lion) Step(values, grad []float32, info optimizer.StepInfo) {
	rate, shrink := float32(info.Rate), float32(info.Rate*info.Decay)
	for i, g := range grad {
		m := l.momentum[i]
		c := float32(l.beta1*m) + float32((1-l.beta1)*g)
		l.momentum[i] = float32(l.beta2*m) + float32((1-l.beta2)*g)
		values[i] -= float32(shrink * values[i])
		switch {
		case c > 0:
			values[i] -= rate
		case c < 0:
			values[i] += rate
		}
	}
}
