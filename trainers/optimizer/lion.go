package optimizer

import "sml/models"

// lion is Lion. A step moves every weight by the learning rate, as Adam's first step does, and the publication
// recommends a learning rate of a tenth to a third of Adam's.
var lion = Optimizer{
	Name:         "lion",
	Title:        "Lion",
	Summary:      "moves each weight by the learning rate, against the sign of an interpolated momentum",
	Source:       "Chen et al. 2023, algorithm 2",
	LearningRate: 0.0001,
	Rates:        models.Range{Min: 1e-9, Max: 0.1},
	Hyperparameters: []models.Hyperparameter{
		{Name: "beta1", Default: 0.9, Range: betaRange, Help: "fraction of the momentum in the sum with the gradient whose sign a step follows"},
		{Name: "beta2", Default: 0.99, Range: betaRange, Help: "fraction of the momentum that a step keeps"},
	},
	New: func(h models.Hyperparameters, weights int) State {
		return &lionState{
			beta1:    float32(h.Float("beta1")),
			beta2:    float32(h.Float("beta2")),
			momentum: make([]float32, weights),
		}
	},
}

// lionState is the State of Lion.
type lionState struct {
	beta1    float32   // fraction of the momentum in the direction of a step
	beta2    float32   // fraction of the momentum that a step keeps
	momentum []float32 // running mean of the gradient, per weight
}

// Step moves each weight w with gradient g and momentum m:
//
//	c = beta1·m + (1 − beta1)·g
//	w = w − (rate·decay)·w − rate·sign(c)
//	m = beta2·m + (1 − beta2)·g
//
// descent.move explains the conversions of products.
func (s *lionState) Step(values, grad []float32, info StepInfo) {
	step := newDescent(info)
	for i, g := range grad {
		m := s.momentum[i]
		c := float32(s.beta1*m) + float32((1-s.beta1)*g)
		sign := float32(0)
		switch {
		case c > 0:
			sign = 1
		case c < 0:
			sign = -1
		}
		values[i] = step.move(values[i], sign)
		s.momentum[i] = flushTiny(float32(s.beta2*m) + float32((1-s.beta2)*g))
	}
}

// Slots returns the momentum.
func (s *lionState) Slots() []Slot { return []Slot{{Name: "momentum", Values: s.momentum}} }
