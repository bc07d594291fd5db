package optimizer

import (
	"slices"

	"sml/internal/portable"
	"sml/models"
)

// nadam is NAdam: Adam with Nesterov's momentum.
var nadam = Optimizer{
	Name:    "nadam",
	Title:   "NAdam",
	Summary: "Adam with Nesterov's momentum, which grows during the training",
	Source:  "Dozat 2016, algorithm 8, in the form of torch.optim.NAdam with foreach; decay as in Loshchilov and Hutter 2019, algorithm 2",
	Hyperparameters: slices.Concat(adam.Hyperparameters, []models.Hyperparameter{
		{Name: "growth", Default: 0.004, Range: models.Range{Min: 0, Max: 1}, Help: "speed at which the momentum grows from half of beta1 to beta1: beta1·(1 − 0.96^(growth·step)/2)"},
	}),
	New: func(h models.Hyperparameters, weights int) State {
		return &nadamState{
			beta1:   h.Float("beta1"),
			beta2:   h.Float("beta2"),
			epsilon: float32(h.Float("epsilon")),
			growth:  h.Float("growth"),
			m:       make([]float32, weights),
			product: []float32{1},

			secondMoment: secondMoment{title: "NAdam", v: make([]float32, weights)},
		}
	},
}

// nadamState is the State of NAdam.
type nadamState struct {
	beta1   float64   // fraction of the first moment that a step keeps, and largest momentum
	beta2   float64   // fraction of the second moment that a step keeps
	epsilon float32   // added to the root of the second moment
	growth  float64   // speed at which the momentum grows
	m       []float32 // first moment: running mean of the gradient, per weight
	product []float32 // product of the momenta of all steps so far, one number
	secondMoment
}

// momentum returns the momentum μ of the step with the given number, from 1.
func (s *nadamState) momentum(step int) float64 {
	return float64(s.beta1 * (1 - float64(0.5*portable.Pow(0.96, float64(step)*s.growth))))
}

// Step moves each weight w with gradient g and moments m and v. Step t has the momentum μ(t), and the product Π of
// the momenta μ(1), …, μ(t):
//
//	m = β1·m + (1 − β1)·g
//	v = β2·v + (1 − β2)·g²
//	n = (1 − μ(t))/(1 − Π)·g + μ(t+1)/(1 − Π·μ(t+1))·m
//	w = w − (rate·decay)·w − rate·n/(√(v/(1 − β2ᵗ)) + epsilon)
//
// descent.move explains the conversions of products.
func (s *nadamState) Step(values, grad []float32, info StepInfo) {
	momentum := s.momentum(info.Step)
	next := s.momentum(info.Step + 1)
	product := float64(float64(s.product[0]) * momentum)
	s.product[0] = float32(product)
	step := newDescent(info)
	gradientFactor := float32((1 - momentum) / (1 - product))
	momentFactor := float32(next / (1 - float64(product*next)))
	correction := float32(1 / (1 - portable.Power(appliedBeta(s.beta2), info.Step)))
	beta1 := float32(s.beta1)
	beta2 := float32(s.beta2)
	for i, g := range grad {
		m := flushTiny(float32(beta1*s.m[i]) + float32((1-beta1)*g))
		s.m[i] = m
		s.v[i] = float32(beta2*s.v[i]) + float32(float32((1-beta2)*g)*g)
		n := float32(gradientFactor*g) + float32(momentFactor*m)
		values[i] = step.move(values[i], n/(squareRoot(float32(correction*s.v[i]))+s.epsilon))
	}
}

// Slots returns the two moments and the product of the momenta.
func (s *nadamState) Slots() []Slot {
	return []Slot{
		{Name: "m", Values: s.m},
		{Name: "v", Values: s.v},
		{Name: "product", Values: s.product},
	}
}
