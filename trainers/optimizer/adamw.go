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
		{Name: ownDecay, Default: 0.01, Range: models.Range{Min: 0, Max: 1000}, Help: "weight decay: a weight matrix loses this share of itself, times the learning rate, in a step"},
	}),
	Chain: func(h models.Hyperparameters, _ int) []Link { return []Link{Decay(h.Float(ownDecay))} },
	New:   adam.New,
}

// ownDecay is the hyperparameter of optimizers whose decay is not the training's.
const ownDecay = "decay"

// OwnDecay tells whether the optimizer has a weight decay of its own, the
// hyperparameter "decay", so that a training gives it none.
func (o Optimizer) OwnDecay() bool {
	return slices.ContainsFunc(o.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == ownDecay })
}
