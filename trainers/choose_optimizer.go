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

// adamName is the name of the default optimizer, whose hyperparameters are in Settings.Adam.
const adamName = "adam"

// DefaultAdam holds the hyperparameters of Adam that Kingma and Ba 2015 propose.
var DefaultAdam = models.Hyperparameters{"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8}

// chooseOptimizer fills in the optimizer, its hyperparameters and the learning rate. Settings may give
// the hyperparameters of Adam in Adam or by name; chooseOptimizer moves them, so that equal trainings
// have equal settings: those of Adam are in Adam, and those of any other optimizer in
// OptimizerHyperparameters, which is nil if there are none.
func (s *Settings) chooseOptimizer() error {
	o, err := optimizer.Lookup(cmp.Or(s.Optimizer, adamName))
	if err != nil {
		return err
	}
	chosen, err := s.chosenHyperparameters(o)
	if err != nil {
		return err
	}
	h, err := o.Choose(chosen)
	if err != nil {
		return err
	}
	s.Optimizer = o.Name
	s.Adam = nil // both fields are set again below
	s.OptimizerHyperparameters = nil
	switch {
	case o.Name == adamName:
		s.Adam = h
	case len(h) > 0:
		s.OptimizerHyperparameters = h
	}
	if o.HasOwnDecay() && s.Decay != 0 {
		return fmt.Errorf("weight decay %v is given, but %s has its own: set its hyperparameter decay instead", s.Decay, o.Title)
	}
	if s.LearningRate == 0 {
		s.LearningRate = o.LearningRate
	}
	return checkRange("learning rate", s.LearningRate, o.Rates)
}

// chosenHyperparameters returns the hyperparameters that the settings choose for optimizer o, by
// name.
func (s Settings) chosenHyperparameters(o optimizer.Optimizer) (models.Hyperparameters, error) {
	if len(s.Adam) == 0 {
		return s.OptimizerHyperparameters, nil
	}
	if o.Name != adamName {
		return nil, fmt.Errorf("hyperparameters of Adam are given, but the optimizer is %s", o.Name)
	}
	if len(s.OptimizerHyperparameters) > 0 {
		return nil, errors.New("hyperparameters of Adam are given twice: set all of them in Adam, or all by name")
	}
	return s.Adam, nil
}

// lookupOptimizer returns the optimizer of resolved settings, and all of its hyperparameters.
func (s Settings) lookupOptimizer() (optimizer.Optimizer, models.Hyperparameters, error) {
	o, err := optimizer.Lookup(s.Optimizer)
	if err != nil {
		return o, nil, err
	}
	h := s.OptimizerHyperparameters
	if o.Name == adamName {
		h = s.Adam
	}
	h, err = o.Choose(h)
	return o, h, err
}

// DescribeOptimizer returns the optimizer of resolved settings in words, with its hyperparameters,
// such as "Adam (0.9, 0.999, 1e-08)". For an optimizer that this program does not have, it returns
// the name.
func (s Settings) DescribeOptimizer() string {
	o, h, err := s.lookupOptimizer()
	if err != nil {
		return s.Optimizer
	}
	var values []string
	for _, p := range o.Hyperparameters {
		if !p.IsSwitch() {
			values = append(values, fmt.Sprint(h[p.Name]))
		} else if h.IsOn(p.Name) {
			values = append(values, p.Name)
		}
	}
	if len(values) == 0 {
		return o.Title
	}
	return fmt.Sprintf("%s (%s)", o.Title, strings.Join(values, ", "))
}

// checkDecay returns an error if the weight decay is too large for the learning rate. A step multiplies
// a weight by 1 − rate·decay, which has to be above 0. rateFactor is the factor of the learning rate in
// a parameter group, or 1.
func (s Settings) checkDecay(rateFactor float64) error {
	o, h, err := s.lookupOptimizer()
	if err != nil {
		return err
	}
	rate := s.LearningRate * rateFactor
	decay := s.Decay
	if o.HasOwnDecay() {
		decay = h.Float(optimizer.OwnDecayName)
	}
	if rate*decay >= 1 {
		return fmt.Errorf("weight decay %v at a learning rate of %v changes the sign of weights in a step: want a decay below %.4g", decay, rate, 1/rate)
	}
	return nil
}

// startOptimizer returns the state, before the first step, of the settings' optimizer, and the ranges of
// weights that it moves: the parameters with true results of moves. It returns an error if a training could not resume with this optimizer, if there is nothing to train, or
// if a learning rate or decay is out of range.
func (s Settings) startOptimizer(p *graph.Params, moves func(graph.Param) bool) (optimizer.State, []optimizer.Group, error) {
	o, h, err := s.lookupOptimizer()
	if err != nil {
		return nil, nil, err
	}
	if err := o.CheckResumable(h); err != nil {
		return nil, nil, err
	}
	mayDecay := s.Decay > 0 || o.Transforms != nil // a gradient transform may add a decay
	groups := weightGroups(p.List(), mayDecay, moves)
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
		if g.Rate == 1 { // the training's own rate, which Settings.check has checked
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

// weightGroups divides the weights of parameters into ranges with the same learning rate. If the
// training may decay weights, the weights of a range also either all decay or all do not. It leaves
// out buffers and the parameters with false results of moves.
func weightGroups(parameters []graph.Param, mayDecay bool, moves func(graph.Param) bool) []optimizer.Group {
	var groups []optimizer.Group
	end := 0 // index after the last weight of the parameter
	for _, p := range parameters {
		begin := end
		end += p.Len()
		if p.Buffer || !moves(p) {
			continue
		}
		decay := p.Decay || !mayDecay // without a decay, one range has all weights
		if !continuesLast(groups, begin, p.Rate, decay) {
			groups = append(groups, optimizer.Group{From: begin, Rate: p.Rate, Decay: decay})
		}
		last := &groups[len(groups)-1]
		last.To = end
		last.Shapes = append(last.Shapes, optimizer.Shape{Name: p.Name, From: begin, Rows: p.Rows, Columns: p.Columns})
	}
	return groups
}

// continuesLast reports whether a parameter whose first weight has the index begin belongs to the last
// of groups: it follows directly, with the same factor of the learning rate and the same decay.
func continuesLast(groups []optimizer.Group, begin int, rate float64, decay bool) bool {
	if len(groups) == 0 {
		return false
	}
	last := groups[len(groups)-1]
	return last.To == begin && last.Rate == rate && last.Decay == decay
}

// checkRange returns an error that starts with name if v is outside of the range r.
func checkRange(name string, v float64, r models.Range) error {
	if !r.Contains(v) {
		return fmt.Errorf("%s is %v: want %v", name, v, r)
	}
	return nil
}
