package optimizer

import (
	"sml/models"
)

var sgd = Optimizer{
	Name:    "sgd",
	Title:   "SGD",
	Summary: "gradient descent with momentum",
	Source:  "Sutskever et al. 2013, in the form of torch.optim.SGD; decay as in Loshchilov and Hutter 2019, algorithm 1",
	Hyperparameters: []models.Hyperparameter{
		{Name: "momentum", Default: 0.9, Range: shareKept, Help: "share of the last step's velocity that SGD keeps, 0 for none"},
		{Name: "nesterov", Default: false, Help: "Nesterov's momentum: a step goes on from where the velocity leads"},
	},
	New: func(h models.Hyperparameters, weights int) State {
		return &sgdState{momentum: float32(h.Float("momentum")), nesterov: h.On("nesterov"), velocity: make([]float32, weights)}
	},
}

// sgdState is the State of SGD.
type sgdState struct {
	momentum float32   // fraction of the velocity that a step keeps
	nesterov bool      // whether steps use Nesterov's momentum
	velocity []float32 // decaying sum of the gradients, per weight
}

// Step computes, of each weight w with gradient g, every line rounded as written:
//
//	v = μ·v + g,              0 if |v| < 2⁻¹⁰⁰
//	w = w − (rate·decay)·w
//	w = w − rate·v,           or rate·(μ·v + g) with Nesterov's momentum
//
// As in Adam, the velocity of a weight that no gradient reaches any more would
// otherwise become a denormal number and stay one, for which CPUs take a hundred
// cycles.
func (s *sgdState) Step(values, grad []float32, at At) {
	rate, shrink := float32(at.Rate), float32(at.Rate*at.Decay)
	velocity := s.velocity[:len(values)]
	for i, g := range grad[:len(values)] {
		v := float32(s.momentum*velocity[i]) + g
		if v < 0x1p-100 && v > -0x1p-100 {
			v = 0
		}
		velocity[i] = v
		if s.nesterov {
			v = float32(s.momentum*v) + g
		}
		w := values[i]
		w -= float32(shrink * w)
		values[i] = w - float32(rate*v)
	}
}

// Slots returns the velocity.
func (s *sgdState) Slots() []Slot { return []Slot{{Name: "velocity", Values: s.velocity}} }
