package trainers

import (
	"math"

	"sml/data/portable"
	"sml/graph"
)

// Adam holds the constants of the optimiser. The zero value stands for
// DefaultAdam; an Adam with anything in it is given whole, and a 0 in it is a 0.
// Source: Kingma and Ba 2015, algorithm 1.
type Adam struct {
	Beta1   float64 `json:"beta1"`   // decay of the first moment, 0 for none
	Beta2   float64 `json:"beta2"`   // decay of the second moment, 0 for none
	Epsilon float64 `json:"epsilon"` // what is added to the second moment's root
}

// DefaultAdam holds the constants that Kingma and Ba propose.
var DefaultAdam = Adam{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}

// step moves values against their gradient and updates the moments m and v.
// t counts steps from 1. Weight decay is decoupled from the gradient
// (Loshchilov and Hutter 2019).
func (a Adam) step(values, grad, m, v []float32, t int, rate, decay float64) {
	correction1 := float32(1 / (1 - portable.Power(a.Beta1, t)))
	correction2 := float32(1 / (1 - portable.Power(a.Beta2, t)))
	graph.AdamStep(values, grad, m, v, float32(rate), float32(a.Beta1), float32(a.Beta2), float32(a.Epsilon), correction1, correction2, float32(decay))
}

// clip scales the gradient down to a norm of at most bound.
func clip(grad []float32, bound float64) {
	squares := 0.0
	for _, g := range grad {
		squares += float64(float64(g) * float64(g))
	}
	norm := math.Sqrt(squares)
	if norm <= bound {
		return
	}
	scale := float32(bound / norm)
	for i := range grad {
		grad[i] *= scale
	}
}
