package trainers

import (
	"cmp"
	"errors"
	"fmt"

	"sml/trainers/optimizer"
)

// chooseOptimizer fills in the optimizer and its hyperparameters. One choice has
// one form, whoever says it: Adam's hyperparameters end in Adam, which is zero for
// any other optimizer, and those of any other by their names.
func (s *Settings) chooseOptimizer() error {
	o, err := optimizer.Lookup(cmp.Or(s.Optimizer, adam))
	if err != nil {
		return err
	}
	chosen := s.OptimizerHyperparameters
	if s.Adam != (Adam{}) {
		switch {
		case o.Name != adam:
			return fmt.Errorf("hyperparameters of Adam are given, and the optimizer is %s", o.Name)
		case len(chosen) > 0:
			return errors.New("hyperparameters of Adam are given twice: want all of them in Adam, or by name")
		}
		chosen = s.Adam.hyperparameters()
	}
	h, err := o.Choose(chosen)
	if err != nil {
		return err
	}
	s.Optimizer, s.Adam, s.OptimizerHyperparameters = o.Name, Adam{}, nil
	switch {
	case o.Name == adam:
		s.Adam = adamOf(h)
	case len(h) > 0: // none is nil, as it is when it is read again
		s.OptimizerHyperparameters = h
	}
	return nil
}

// newOptimizer starts the optimizer of settings whose defaults are filled in.
func (s Settings) newOptimizer(weights int) (optimizer.State, error) {
	o, err := optimizer.Lookup(s.Optimizer)
	if err != nil {
		return nil, err
	}
	h := s.OptimizerHyperparameters
	if o.Name == adam {
		h = s.Adam.hyperparameters()
	}
	return o.Start(h, weights)
}
