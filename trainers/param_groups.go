package trainers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// resolveGroups merges the groups that the method declares with the settings' own, and fills in all
// values. newOptimizer checks that the objective has such groups.
func (s *Settings) resolveGroups(declared models.ParamGroups) error {
	groups := declared.With(s.ParamGroups)
	for i, g := range groups {
		own, err := s.groupSettings(g)
		if err == nil {
			err = g.CheckTurn()
		}
		if err != nil {
			return fmt.Errorf("parameters of the group %q: %w", g.Name, err)
		}
		if groups[i], err = own.asGroup(g); err != nil {
			return err
		}
	}
	s.ParamGroups = groups
	return nil
}

// asGroup returns g with all values filled in from s, the settings of its optimizer. For an optimizer
// with a weight decay of its own, Decay has it.
func (s Settings) asGroup(g models.ParamGroup) (models.ParamGroup, error) {
	o, h, err := s.lookupOptimizer()
	if err != nil {
		return g, err
	}
	decay := s.Decay
	if o.HasOwnDecay() {
		decay = h.Float(optimizer.OwnDecayName)
		delete(h, optimizer.OwnDecayName)
	}
	return models.ParamGroup{
		Name:            g.Name,
		Optimizer:       s.Optimizer,
		Hyperparameters: h,
		LearningRate:    s.LearningRate,
		Decay:           &decay,
		Every:           max(1, g.Every),
		Offset:          g.Offset,
	}, nil
}

// groupSettings returns the settings of the optimizer that moves a group.
func (s Settings) groupSettings(g models.ParamGroup) (Settings, error) {
	_, h, err := s.lookupOptimizer()
	if err != nil {
		return s, err
	}
	training := s.Optimizer
	if g.Optimizer != "" && g.Optimizer != training {
		s.Optimizer, s.LearningRate, h = g.Optimizer, 0, nil
	}
	h = maps.Clone(h)
	if h == nil {
		h = make(models.Hyperparameters)
	}
	maps.Copy(h, g.Hyperparameters)
	s.Adam, s.OptimizerHyperparameters, s.ParamGroups = Adam{}, h, nil
	if g.LearningRate != 0 {
		s.LearningRate = g.LearningRate
	}
	o, err := optimizer.Lookup(s.Optimizer)
	if err != nil {
		return s, err
	}
	switch {
	case o.HasOwnDecay() && g.Decay != nil:
		h[optimizer.OwnDecayName], s.Decay = *g.Decay, 0
	case o.HasOwnDecay():
		s.Decay = 0
	case g.Decay != nil:
		s.Decay = *g.Decay
	}
	if err := s.chooseOptimizer(); err != nil {
		return s, err
	}
	if err := s.checkDecayRange(); err != nil {
		return s, err
	}
	return s, s.checkDecay(1)
}

// groupOptimizer is the optimizer.State of a training with groups of parameters. Each group has its own
// rule and its own steps, and its gradient is clipped separately.
type groupOptimizer struct {
	parts []groupState
	grad  []float32 // gradient of one part, 0 elsewhere
}

// groupState moves one group, or the parameters of all groups without settings of their own.
type groupState struct {
	name          string // "" for the parameters of all groups without settings
	ranges        []optimizer.Group
	state         optimizer.State
	clip          optimizer.GradientTransform // nil if there is none
	rate          float64                     // in units of the training's learning rate
	decay         float64
	every, offset int
}

// newOptimizer starts the optimizer of settings whose defaults are filled in.
func (s Settings) newOptimizer(p *graph.Params) (optimizer.State, error) {
	if p.Len() == 0 {
		return nil, errors.New("neither network nor objective has a parameter: there is nothing to train")
	}
	if len(s.ParamGroups) > 0 {
		return s.newGroupOptimizer(p)
	}
	state, _, err := s.startOptimizer(p, func(string) bool { return true })
	return state, err
}

// newGroupOptimizer starts the optimizers of all groups.
func (s Settings) newGroupOptimizer(p *graph.Params) (optimizer.State, error) {
	all := &groupOptimizer{grad: make([]float32, p.Len())}
	known := p.Groups()
	for _, g := range s.ParamGroups {
		if !slices.Contains(known, g.Name) {
			return nil, fmt.Errorf("there is no group %q of parameters: there is %s", g.Name, strings.Join(known, ", "))
		}
		own, err := s.groupSettings(g)
		if err != nil {
			return nil, err
		}
		part := groupState{name: g.Name, rate: own.LearningRate / s.LearningRate, decay: own.Decay, every: g.Every, offset: g.Offset}
		if err := all.start(part, own, p, func(name string) bool { return name == g.Name }); err != nil {
			return nil, err
		}
	}
	own := s
	own.ParamGroups = nil
	isRest := func(name string) bool {
		return !slices.ContainsFunc(s.ParamGroups, func(g models.ParamGroup) bool { return g.Name == name })
	}
	if !slices.ContainsFunc(known, isRest) {
		return all, nil
	}
	return all, all.start(groupState{rate: 1, decay: s.Decay, every: 1}, own, p, isRest)
}

// start adds a part with the parameters of some groups: has reports whether a group is among them.
func (o *groupOptimizer) start(part groupState, s Settings, p *graph.Params, has func(group string) bool) (err error) {
	part.state, part.ranges, err = s.startOptimizer(p, has)
	switch {
	case err != nil && part.name != "":
		return fmt.Errorf("group %q: %w", part.name, err)
	case err != nil:
		return err
	}
	if s.Clip > 0 {
		part.clip = optimizer.ClipNorm(s.Clip)
	}
	o.parts = append(o.parts, part)
	return nil
}

// Step makes the steps of the groups whose turn it is.
func (o *groupOptimizer) Step(values, grad []float32, at optimizer.StepInfo) {
	for i := range o.parts {
		p := &o.parts[i]
		own, moves := p.turn(at)
		if !moves {
			continue
		}
		clear(o.grad)
		for _, r := range p.ranges {
			copy(o.grad[r.From:r.To], grad[r.From:r.To])
		}
		if p.clip != nil {
			own = p.clip.Apply(values, o.grad, own)
		}
		p.state.Step(values, o.grad, own)
	}
}

// turn returns the position of a group's step in its own steps, and whether it makes one.
func (p *groupState) turn(at optimizer.StepInfo) (own optimizer.StepInfo, moves bool) {
	number := at.Step - 1 - p.offset // of the training's steps since the group's first
	if number < 0 || number%p.every != 0 {
		return at, false
	}
	at.Step = number/p.every + 1
	at.Steps = (at.Steps - p.offset + p.every - 1) / p.every
	at.Rate *= p.rate
	at.Decay = p.decay
	return at, true
}

// Slots returns the slots of all groups, with the group's name before them, as in "critic.m".
func (o *groupOptimizer) Slots() []optimizer.Slot {
	var slots []optimizer.Slot
	for _, p := range o.parts {
		for _, slot := range p.state.Slots() {
			if p.name != "" {
				slot.Name = p.name + "." + slot.Name
			}
			slots = append(slots, slot)
		}
	}
	return slots
}

// Share passes the pool to the state of each group.
func (o *groupOptimizer) Share(pool *graph.Pool) {
	for _, p := range o.parts {
		if sharer, ok := p.state.(optimizer.Sharer); ok {
			sharer.Share(pool)
		}
	}
}

// EndEpoch ends the epoch of each group.
func (o *groupOptimizer) EndEpoch() {
	for _, p := range o.parts {
		if ender, ok := p.state.(optimizer.EpochEnder); ok {
			ender.EndEpoch()
		}
	}
}

// Warning returns the first warning of a group, or "".
func (o *groupOptimizer) Warning(network string, rate float64) string {
	for _, p := range o.parts {
		if warner, ok := p.state.(optimizer.Warner); ok {
			if text := warner.Warning(network, rate*p.rate); text != "" {
				return text
			}
		}
	}
	return ""
}
