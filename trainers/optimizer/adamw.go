package optimizer

import (
	"slices"

	"sml/models"
)

// adamW is Adam with a weight decay of its own.
var adamW = Optimizer{
	Name:    "adamw",
	Title:   "AdamW",
	Summary: "Adam with a weight decay that does not depend on the gradient",
	Source:  "Loshchilov and Hutter 2019, algorithm 2; defaults of torch.optim.AdamW",
	Hyperparameters: slices.Concat(adam.Hyperparameters, []models.Hyperparameter{
		{Name: OwnDecayName, Default: 0.01, Range: models.Range{Min: 0, Max: 1000}, Help: "weight decay: a step multiplies each entry of a weight matrix by 1 − learning rate × decay"},
	}),
	Transforms: func(h models.Hyperparameters, _ int) []GradientTransform {
		return []GradientTransform{Decay(h.Float(OwnDecayName))}
	},
	New: adam.New,
}

// OwnDecayName is the name of the hyperparameter for an optimizer's own weight decay. A training
// with such an optimizer has no other weight decay.
const OwnDecayName = "decay"

// HasOwnDecay reports whether the optimizer has its own weight decay, the hyperparameter "decay". A
// training then has no other weight decay.
func (o Optimizer) HasOwnDecay() bool {
	return slices.ContainsFunc(o.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == OwnDecayName })
}
