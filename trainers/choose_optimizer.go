package trainers

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// chooseOptimizer fills in the optimizer, its hyperparameters and the learning rate.
// One choice has one form, whoever says it: Adam's hyperparameters end in Adam, which
// is zero for any other optimizer, and those of any other by their names.
func (s *Settings) chooseOptimizer() error {
	o, err := optimizer.Lookup(cmp.Or(s.Optimizer, adamName))
	if err != nil {
		return err
	}
	chosen := s.OptimizerHyperparameters
	if s.Adam != (Adam{}) {
		switch {
		case o.Name != adamName:
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
	case o.Name == adamName:
		s.Adam = adamFrom(h)
	case len(h) > 0: // none is nil, as it is when it is read again
		s.OptimizerHyperparameters = h
	}
	if o.HasOwnDecay() && s.Decay != 0 {
		return fmt.Errorf("weight decay %v is given, and %s has one of its own: want its hyperparameter decay", s.Decay, o.Title)
	}
	if s.LearningRate == 0 {
		s.LearningRate = o.LearningRate
	}
	return checkRange("learning rate", s.LearningRate, o.Rates)
}

// lookupOptimizer is the optimizer of settings, with all of its hyperparameters.
func (s Settings) lookupOptimizer() (optimizer.Optimizer, models.Hyperparameters, error) {
	o, err := optimizer.Lookup(s.Optimizer)
	if err != nil {
		return o, nil, err
	}
	h := s.OptimizerHyperparameters
	if o.Name == adamName {
		h = s.Adam.hyperparameters()
	}
	h, err = o.Choose(h)
	return o, h, err
}

// DescribeOptimizer says in words what the optimizer of resolved settings is, such as
// "Adam (0.9, 0.999, 1e-08)".
func (s Settings) DescribeOptimizer() string {
	o, h, err := s.lookupOptimizer()
	if err != nil {
		return s.Optimizer // of a program that has it
	}
	var values []string
	for _, p := range o.Hyperparameters {
		switch v := h[p.Name]; {
		case p.Switch() && h.On(p.Name):
			values = append(values, p.Name)
		case !p.Switch():
			values = append(values, fmt.Sprint(v))
		}
	}
	if len(values) == 0 {
		return o.Title
	}
	return fmt.Sprintf("%s (%s)", o.Title, strings.Join(values, ", "))
}

// checkDecay returns an error if a weight whose learning rate is so many times the
// training's would lose more than itself in a step.
func (s Settings) checkDecay(times float64) error {
	o, h, err := s.lookupOptimizer()
	if err != nil {
		return err
	}
	decay, rate := s.Decay, s.LearningRate*times
	if o.HasOwnDecay() {
		decay = h.Float("decay")
	}
	if rate*decay >= 1 {
		return fmt.Errorf("weight decay %v at a learning rate of %v turns weights over in a step: want less than %.4g", decay, rate, 1/rate)
	}
	return nil
}

// startOptimizer starts the optimizer of settings for the parameters of some groups: has reports whether a
// group is among them. It also returns the ranges of their weights.
func (s Settings) startOptimizer(p *graph.Params, has func(group string) bool) (optimizer.State, []optimizer.Group, error) {
	o, h, err := s.lookupOptimizer()
	if err != nil {
		return nil, nil, err
	}
	if err := o.CheckResumable(h); err != nil {
		return nil, nil, err
	}
	mayDecay := s.Decay > 0 || o.Transforms != nil // a link of the chain may add a decay
	groups := weightGroups(p.List(), mayDecay, has)
	if len(groups) == 0 {
		return nil, nil, errors.New("all parameters of the network are buffers: there is nothing to train")
	}
	if err := s.checkRates(o, groups); err != nil {
		return nil, nil, err
	}
	state, err := o.Start(h, p.Len(), groups...)
	return state, groups, err
}

// checkRates returns an error if the learning rate or the decay of a group is out of range.
func (s Settings) checkRates(o optimizer.Optimizer, groups []optimizer.Group) error {
	for _, g := range groups {
		if g.Rate == 1 {
			continue
		}
		if err := checkRange("learning rate", s.LearningRate*g.Rate, o.Rates); err != nil {
			return fmt.Errorf("%w, and there are parameters with %v times the training's", err, g.Rate)
		}
		if err := s.checkDecay(g.Rate); err != nil {
			return err
		}
	}
	return nil
}

// weightGroups cuts parameters into runs of one learning rate and, in a training that may
// decay weights, of parameters that decay or of parameters that do not. It leaves out buffers and
// parameters of declared groups that has rejects.
func weightGroups(list []graph.Param, mayDecay bool, has func(group string) bool) []optimizer.Group {
	var groups []optimizer.Group
	at := 0
	for _, p := range list {
		from := at
		at += p.Len()
		if p.Buffer || !has(cmp.Or(p.Group, graph.MainGroup)) {
			continue
		}
		decay := p.Decay || !mayDecay // without a decay, one group for all
		last := len(groups) - 1
		if last < 0 || groups[last].To != from || groups[last].Rate != p.Rate || groups[last].Decay != decay {
			last++
			groups = append(groups, optimizer.Group{From: from, Rate: p.Rate, Decay: decay})
		}
		groups[last].To = at
		groups[last].Shapes = append(groups[last].Shapes, optimizer.Shape{From: from, Rows: p.Rows, Columns: p.Columns})
	}
	return groups
}

// checkRange returns an error, which names the number what, if v is out of the range r.
func checkRange(what string, v float64, r models.Range) error {
	if !r.Has(v) {
		return fmt.Errorf("%s is %v: want %v", what, v, r)
	}
	return nil
}
