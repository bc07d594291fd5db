package optimizer

import "sml/models"

// rmsprop is RMSprop.
var rmsprop = Optimizer{
	Name:    "rmsprop",
	Title:   "RMSprop",
	Summary: "gradient descent that divides each gradient by the root of its running mean square",
	Source:  "Tieleman and Hinton 2012, lecture 6.5, in the form of torch.optim.RMSprop; decay as in Loshchilov and Hutter 2019, algorithm 1",
	Hyperparameters: []models.Hyperparameter{
		{Name: "alpha", Default: 0.99, Range: betaRange, Help: "fraction of the mean square that a step keeps"},
		{Name: "epsilon", Default: 1e-8, Range: epsilonRange, Help: "number that RMSprop adds to the root of the mean square"},
		{Name: "momentum", Default: 0.0, Range: betaRange, Help: "fraction of the velocity that a step keeps; 0 for no momentum"},
	},
	New: func(h models.Hyperparameters, weights int) State {
		return &rmspropState{
			alpha:    float32(h.Float("alpha")),
			epsilon:  float32(h.Float("epsilon")),
			momentum: float32(h.Float("momentum")),
			velocity: make([]float32, weights),

			secondMoment: secondMoment{title: "RMSprop", v: make([]float32, weights)},
		}
	},
}

// rmspropState is the State of RMSprop.
type rmspropState struct {
	alpha    float32   // fraction of the mean square that a step keeps
	epsilon  float32   // added to the root of the mean square
	momentum float32   // fraction of the velocity that a step keeps
	velocity []float32 // decaying sum of the divided gradients, per weight
	secondMoment
}

// Step moves each weight w with gradient g, mean square v and velocity u:
//
//	v = alpha·v + (1 − alpha)·g²
//	u = momentum·u + g/(√v + epsilon)
//	w = w − (rate·decay)·w − rate·u
//
// Without momentum, the velocity is the divided gradient itself. descent.move explains the conversions of products.
func (s *rmspropState) Step(values, grad []float32, info StepInfo) {
	step := newDescent(info)
	for i, g := range grad {
		s.v[i] = float32(s.alpha*s.v[i]) + float32(float32((1-s.alpha)*g)*g)
		u := flushTiny(float32(s.momentum*s.velocity[i]) + g/(squareRoot(s.v[i])+s.epsilon))
		s.velocity[i] = u
		values[i] = step.move(values[i], u)
	}
}

// Slots returns the mean square and the velocity.
func (s *rmspropState) Slots() []Slot {
	return []Slot{
		{Name: "v", Values: s.v},
		{Name: "velocity", Values: s.velocity},
	}
}
