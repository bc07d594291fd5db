package optimizer

import (
	"math/rand/v2"

	"sml/internal/portable"
	"sml/models"
)

// sophia is Sophia-H.
var sophia = Optimizer{
	Name:    "sophia",
	Title:   "Sophia",
	Summary: "divides a running mean of the gradient by an estimate of the Hessian's diagonal, and limits the quotient",
	Source:  "Liu et al. 2023, algorithm 3 with the Hutchinson estimator of algorithm 1",
	Hyperparameters: []models.Hyperparameter{
		{Name: "beta1", Default: 0.96, Range: betaRange, Help: "fraction of the running mean of the gradient that a step keeps"},
		{Name: "beta2", Default: 0.99, Range: betaRange, Help: "fraction of the running mean of the Hessian's diagonal that a new estimate keeps"},
		{Name: "gamma", Default: 0.01, Range: models.Range{Min: 1e-6, Max: 1e6}, Help: "factor of the Hessian's diagonal: a smaller one limits more quotients to 1"},
		{Name: "epsilon", Default: 1e-12, Range: epsilonRange, Help: "smallest divisor"},
		{Name: "every", Default: 10.0, Range: models.Range{Min: 1, Max: 1e6}, Help: "number of steps between two estimates of the Hessian's diagonal, rounded down"},
	},
	Transforms: func(h models.Hyperparameters, weights int) []GradientTransform {
		return []GradientTransform{&sophiaTransform{
			beta1:   float32(h.Float("beta1")),
			beta2:   float32(h.Float("beta2")),
			gamma:   float32(h.Float("gamma")),
			epsilon: float32(h.Float("epsilon")),
			every:   int(h.Float("every")),
			m:       make([]float32, weights),
			h:       make([]float32, weights),
			probe:   make([]float32, weights),
			product: make([]float32, weights),
		}}
	},
	New: func(models.Hyperparameters, int) State { return descentState{} },
}

// sophiaTransform is the GradientTransform that computes the direction of a step of Sophia.
type sophiaTransform struct {
	beta1   float32
	beta2   float32
	gamma   float32
	epsilon float32
	every   int       // steps between two estimates of h
	m       []float32 // running mean of the gradient, per weight
	h       []float32 // running mean of the estimates of the Hessian's diagonal, per weight

	batch   Batch
	source  rand.PCG  // random numbers of the probe
	probe   []float32 // normal random vector of the latest estimate
	product []float32 // Hessian times probe
}

// UseBatch sets the batch with which Apply computes Hessian-vector products.
func (s *sophiaTransform) UseBatch(b Batch) { s.batch = b }

// Apply replaces the gradient g of each weight by the direction of the step:
//
//	m = beta1·m + (1 − beta1)·g
//	d = m/max(gamma·h, epsilon), limited to −1 and 1
//
// descent.move explains the conversions of products.
func (s *sophiaTransform) Apply(_, grad []float32, info StepInfo) StepInfo {
	if (info.Step-1)%s.every == 0 {
		s.estimateDiagonal(info.Step)
	}
	for i, g := range grad {
		m := flushTiny(float32(s.beta1*s.m[i]) + float32((1-s.beta1)*g))
		s.m[i] = m
		quotient := m / max(float32(s.gamma*s.h[i]), s.epsilon)
		grad[i] = max(-1, min(quotient, 1))
	}
	return info
}

// estimateDiagonal adds to h an estimate of the Hessian's diagonal: u⊙(H·u), for a vector u of standard normal
// numbers that depends on the number of the step only.
func (s *sophiaTransform) estimateDiagonal(step int) {
	s.source.Seed(uint64(step), hutchinsonStream)
	r := rand.New(&s.source)
	for i := range s.probe {
		s.probe[i] = float32(portable.NormFloat64(r))
	}
	s.batch.HessianVector(s.product, s.probe)
	for i, u := range s.probe {
		estimate := float32(u * s.product[i])
		s.h[i] = float32(s.beta2*s.h[i]) + float32((1-s.beta2)*estimate)
	}
}

// hutchinsonStream distinguishes the random numbers of probes from other random numbers.
const hutchinsonStream = 0x50f1a

// Slots returns the two running means.
func (s *sophiaTransform) Slots() []Slot {
	return []Slot{
		{Name: "m", Values: s.m},
		{Name: "h", Values: s.h},
	}
}
