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

// minVelocity is the smallest size of a velocity other than 0. If the gradient of a weight stays 0,
// its velocity shrinks in every step. Without this bound it would end as a denormal number, with
// which each operation takes a CPU about a hundred cycles.
const minVelocity = 0x1p-100

// Step moves each weight w with gradient g and velocity v:
//
//	v = momentum·v + g
//	w = w − (rate·decay)·w
//	w = w − rate·v
//
// With Nesterov's momentum, the last line is w = w − rate·(momentum·v + g).
//
// float32(a*b) rounds a product before it is added to. Otherwise some CPUs would fuse the
// multiplication with the addition and get other bits.
func (s *sgdState) Step(values, grad []float32, info StepInfo) {
	rate := float32(info.Rate)
	decay := float32(info.Rate * info.Decay)
	grad = grad[:len(values)] // equal lengths spare bounds checks in the loop
	velocity := s.velocity[:len(values)]
	for i, g := range grad {
		v := float32(s.momentum*velocity[i]) + g
		if -minVelocity < v && v < minVelocity {
			v = 0
		}
		velocity[i] = v

		direction := v
		if s.nesterov {
			direction = float32(s.momentum*v) + g
		}
		w := values[i]
		w -= float32(decay * w)
		w -= float32(rate * direction)
		values[i] = w
	}
}

// Slots returns the velocity.
func (s *sgdState) Slots() []Slot { return []Slot{{Name: "velocity", Values: s.velocity}} }
