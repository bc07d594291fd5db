package optimizer

import (
	"slices"

	"sml/models"
)

// sam is sharpness-aware minimisation with Adam's steps.
var sam = Optimizer{
	Name:    "sam",
	Title:   "SAM",
	Summary: "Adam with the gradient at the worst weights nearby, which leads to flat minima; computes two gradients a step",
	Source:  "Foret et al. 2021, algorithm 1; steps of Adam",
	Hyperparameters: slices.Concat([]models.Hyperparameter{
		{Name: "rho", Default: 0.05, Range: models.Range{Min: 0, Max: 10}, Help: "distance to the worst weights"},
	}, adam.Hyperparameters),
	Transforms: func(h models.Hyperparameters, weights int) []GradientTransform {
		return []GradientTransform{SAM(h.Float("rho"), weights)}
	},
	New: adam.New,
}

// SAM returns a gradient transform that replaces the gradient g at the weights w by the gradient of the same batch at
// w + rho·g/‖g‖, the weights with the highest loss at the distance rho if the loss is linear. weights is the number of
// all weights. It panics if rho is negative. Source: Foret et al. 2021, algorithm 1.
func SAM(rho float64, weights int) GradientTransform {
	checkArgument("SAM", rho, rho >= 0, "a distance of 0 or more")
	return &samTransform{rho: rho, weights: make([]float32, weights)}
}

// samTransform is the GradientTransform of SAM.
type samTransform struct {
	rho     float64
	weights []float32 // copy of the weights while others stand in their place
	batch   Batch
}

// UseBatch sets the batch with which Apply computes the second gradient.
func (s *samTransform) UseBatch(b Batch) { s.batch = b }

// Apply replaces grad by the gradient at the worst weights. Without a gradient, no direction leads there, and the
// weights count as the worst.
func (s *samTransform) Apply(values, grad []float32, info StepInfo) StepInfo {
	norm := euclideanNorm(grad)
	if norm == 0 {
		return info
	}
	copy(s.weights, values)
	scale := s.rho / norm
	for i, g := range grad {
		values[i] += float32(scale * float64(g))
	}
	s.batch.Gradient(grad)
	copy(values, s.weights)
	return info
}

// Slots returns no slots: each step depends on its own batch only.
func (*samTransform) Slots() []Slot { return nil }
