package optimizer

import (
	"sml/models"
)

// sgd is stochastic gradient descent.
var sgd = Optimizer{
	Name:    "sgd",
	Title:   "SGD",
	Summary: "gradient descent with momentum",
	Source:  "Sutskever et al. 2013, in the form of torch.optim.SGD; decay as in Loshchilov and Hutter 2019, algorithm 1",
	Hyperparameters: []models.Hyperparameter{
		{Name: "momentum", Default: 0.9, Range: betaRange, Help: "fraction of the velocity that a step of SGD keeps; 0 for no momentum"},
		{Name: "nesterov", Default: false, Help: "Nesterov's momentum: add the velocity to the gradient once more in each step"},
	},
	New: func(h models.Hyperparameters, weights int) State {
		return &sgdState{
			momentum: float32(h.Float("momentum")),
			nesterov: h.IsOn("nesterov"),
			velocity: make([]float32, weights),
		}
	},
}

// sgdState is the State of SGD.
type sgdState struct {
	momentum float32   // fraction of the velocity that a step keeps
	nesterov bool      // whether steps use Nesterov's momentum
	velocity []float32 // decaying sum of the gradients, per weight
}

// Step moves each weight w with gradient g and velocity v:
//
//	v = momentum·v + g
//	w = w − (rate·decay)·w
//	w = w − rate·v
//
// With Nesterov's momentum, the last line is w = w − rate·(momentum·v + g). descent.move explains the conversions of
// products.
func (s *sgdState) Step(values, grad []float32, info StepInfo) {
	step := newDescent(info)
	grad = grad[:len(values)] // equal lengths spare bounds checks in the loop
	velocity := s.velocity[:len(values)]
	for i, g := range grad {
		v := flushTiny(float32(s.momentum*velocity[i]) + g)
		velocity[i] = v

		direction := v
		if s.nesterov {
			direction = float32(s.momentum*v) + g
		}
		values[i] = step.move(values[i], direction)
	}
}

// Slots returns the velocity.
func (s *sgdState) Slots() []Slot { return []Slot{{Name: "velocity", Values: s.velocity}} }
