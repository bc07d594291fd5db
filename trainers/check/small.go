package check

import (
	"sml/models"
)

// Settings control the check of a method. The comment of each field gives the default that
// replaces its zero value.
type Settings struct {
	Hyperparameters models.Hyperparameters // default the method's defaults
	Inputs          int                    // number of input columns; default 3
	Targets         int                    // number of target columns; default the method's, or else 1, and 1 and 2 for gradients
	Seed            uint64                 // seed of weights, data and masks; default 0
}

// rows is the number of rows in a small batch.
const rows = 6

// smallSpec returns a spec of the method with a network so small that finite differences are fast.
// edit, if it is not nil, changes the architecture first.
func smallSpec(name string, settings Settings, edit func(*models.Architecture)) (models.Spec, error) {
	a := models.Architecture{Inputs: settings.Inputs, Targets: settings.Targets, Hidden: []int{5, 4}, Dropout: 0.3}
	if edit != nil {
		edit(&a)
	}
	return models.NewSpec(name, settings.Hyperparameters, a)
}

// withPaperNetwork returns s with the network size of the paper.
func withPaperNetwork(s models.Spec) models.Spec {
	s.Architecture.Hidden = []int{50, 50}
	s.Architecture.Dropout = 0.1
	return s
}
