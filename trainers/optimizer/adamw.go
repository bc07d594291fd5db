package optimizer

import (
	"slices"

	"sml/models"
)

var adamW = Optimizer{
	Name:    "adamw",
	Title:   "AdamW",
	Summary: "Adam, with a decay of the weights beside what the gradient does",
	Source:  "Loshchilov and Hutter 2019, algorithm 2; defaults of torch.optim.AdamW",
	Hyperparameters: slices.Concat(adam.Hyperparameters, []models.Hyperparameter{
		{Name: OwnDecayName, Default: 0.01, Range: models.Range{Min: 0, Max: 1000}, Help: "weight decay: a weight matrix loses this share of itself, times the learning rate, in a step"},
	}),
	Chain: func(h models.Hyperparameters, _ int) []Link { return []Link{Decay(h.Float(OwnDecayName))} },
	New:   adam.New,
}

// OwnDecayName is the name of the hyperparameter for an optimizer's own weight decay. A training
// with such an optimizer has no other weight decay.
const OwnDecayName = "decay"

// OwnDecay reports whether the optimizer has its own weight decay, the hyperparameter "decay". A
// training then sets no other weight decay.
func (o Optimizer) OwnDecay() bool {
	return slices.ContainsFunc(o.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == OwnDecayName })
}
