package check

import (
	"sml/models"
)

// Settings control the check of a method. The comment of each field gives the default that
// replaces its zero value.
type Settings struct {
	Hyperparameters models.Hyperparameters // default the method's defaults
	Inputs          int                    // number of input columns; default 3

	// Targets is the number of target columns. The default is the method's number. If the method
	// has none, it is 1, and gradients are checked with 1 and with 2 targets.
	Targets int

	Seed uint64 // seed of weights, rows and masks; default 0
}

// smallBatchRows is the number of rows of the graphs that most checks build.
const smallBatchRows = 6

// smallSpec returns a spec of the named method with a network so small that finite differences, which
// run it once for each weight, are fast. edit, unless it is nil, changes the architecture first.
func smallSpec(name string, settings Settings, edit func(*models.Architecture)) (models.Spec, error) {
	a := models.Architecture{
		Inputs:  settings.Inputs,
		Targets: settings.Targets,
		Hidden:  []int{5, 4},
		Dropout: 0.3,
	}
	if edit != nil {
		edit(&a)
	}
	s, err := models.NewSpec(name, settings.Hyperparameters, a)
	s.Architecture.Copies = min(s.Architecture.Copies, 1) // checks of networks test copies
	return s, err
}

// withPaperNetwork returns s with the network size of Sicking et al. 2021: two hidden layers of 50
// units, and a dropout probability of 0.1.
func withPaperNetwork(s models.Spec) models.Spec {
	s.Architecture.Hidden = []int{50, 50}
	s.Architecture.Dropout = 0.1
	return s
}
