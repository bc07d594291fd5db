package check

import (
	"cmp"
	"errors"

	"sml/graph"
	"sml/models"
)

// subject is the method that is checked. Each check is one of its methods.
type subject struct {
	method models.Method
	seed   uint64
	spec   models.Spec    // with a small network and the first of targetCounts
	wide   models.Spec    // spec with the last of targetCounts, so that a target cannot hide behind another
	loss   *graph.Node    // of the first build of the objective
	built  *graph.Builder // graph of loss

	// targetCounts are the numbers of targets with which gradients are checked: 1 and 2, or the number
	// that the method or the user requires.
	targetCounts []int
}

// newSubject returns the method with its objective built once. It returns an error if the method does not
// exist, or if its objective or predictor cannot be used at all.
func newSubject(name string, settings Settings) (*subject, error) {
	m, err := models.Lookup(name)
	if err != nil {
		return nil, err
	}
	s := &subject{method: m, seed: settings.Seed, targetCounts: []int{1, 2}}
	// Settings and methods have 0 where any number of targets will do.
	required := cmp.Or(settings.Targets, m.Targets)
	if required > 0 {
		s.targetCounts = []int{required}
	}
	s.spec, err = smallSpec(name, settings, s.targetCounts[0])
	if err != nil {
		return nil, err
	}
	s.built = graph.New(graph.Float32, new(graph.Params))
	s.loss, err = s.spec.Loss(s.built, smallBatchRows)
	if err != nil {
		return nil, err
	}
	if err := s.spec.Examine(m.Members); err != nil {
		return nil, err
	}
	s.wide = s.spec
	if required == 0 {
		err = s.setTwoTargets(settings)
	}
	return s, err
}

// setTwoTargets sets wide to two targets, if the objective can be built with them.
func (s *subject) setTwoTargets(settings Settings) error {
	two, err := smallSpec(s.method.Name, settings, 2)
	if err != nil {
		return err
	}
	_, err = two.Loss(graph.New(graph.Float32, new(graph.Params)), smallBatchRows)
	switch {
	case err == nil:
		s.wide = two
	case errors.Is(err, models.ErrFrozen): // the objective reads a trained model that has a single target
		s.targetCounts = s.targetCounts[:1]
	}
	return nil // checkGradients reports another error of the objective
}

// smallBatchRows is the number of rows of the graphs that most checks build.
const smallBatchRows = 6

// smallSpec returns a spec of the named method with a network so small that finite differences, which
// run it once for each weight, are fast.
func smallSpec(name string, settings Settings, targets int) (models.Spec, error) {
	s, err := models.NewSpec(name, settings.Hyperparameters, models.Architecture{
		Network: settings.Network,
		Inputs:  cmp.Or(settings.Inputs, 3),
		Targets: targets,
		Hidden:  []int{5, 4},
		Dropout: 0.3,
	})
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
