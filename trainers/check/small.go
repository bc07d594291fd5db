package check

import (
	"sml/models"
)

// Settings say what a method is checked with. The zero value of a field is the default
// that its comment gives.
type Settings struct {
	Hyperparameters models.Hyperparameters // default the method's own
	Inputs          int                    // input columns; default 3
	Targets         int                    // target columns; default those that the method is for, or else 1, and 2 as well for gradients
	Seed            uint64                 // of weights, data and masks
}

// rows is the size of a small batch.
const rows = 6

// small is a network of the method that differences are quickly taken of.
func small(name string, settings Settings, edit func(*models.Architecture)) (models.Spec, error) {
	a := models.Architecture{Inputs: settings.Inputs, Targets: settings.Targets, Hidden: []int{5, 4}, Dropout: 0.3}
	if edit != nil {
		edit(&a)
	}
	return models.NewSpec(name, settings.Hyperparameters, a)
}

// usual returns the spec with the network that the paper trains.
func usual(s models.Spec) models.Spec {
	s.Architecture.Hidden = []int{50, 50}
	s.Architecture.Dropout = 0.1
	return s
}
