package trainers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// resolveGroups merges the parameter groups that the method declares with ParamGroups, whose values
// take precedence, and fills in all other values. newOptimizer checks that the objective has such
// groups.
func (s *Settings) resolveGroups(declared models.ParamGroups) error {
	groups := declared.Merge(s.ParamGroups)
	for i, g := range groups {
		groupSettings, err := s.groupSettings(g)
		if err != nil {
			return fmt.Errorf("parameters of the group %q: %w", g.Name, err)
		}
		if err := g.CheckSteps(); err != nil {
			return fmt.Errorf("parameters of the group %q: %w", g.Name, err)
		}
		groups[i], err = groupSettings.completeGroup(g)
		if err != nil {
			return err
		}
	}
	s.ParamGroups = groups
	return nil
}

// completeGroup returns g with all values filled in from s, the settings that groupSettings returns for
// the group. If the optimizer has its own weight decay, a hyperparameter, the group's Decay holds it
// instead, so that a decay has one place.
func (s Settings) completeGroup(g models.ParamGroup) (models.ParamGroup, error) {
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

// groupSettings returns the settings of the optimizer that moves a group: the training's, with the
// group's values in their place. A group with another optimizer starts from the defaults of that
// optimizer.
func (s Settings) groupSettings(g models.ParamGroup) (Settings, error) {
	_, h, err := s.lookupOptimizer()
	if err != nil {
		return s, err
	}
	if g.Optimizer != "" && g.Optimizer != s.Optimizer {
		s.Optimizer = g.Optimizer
		s.LearningRate = 0 // chooseOptimizer fills in the optimizer's default
		h = nil
	}
	h = maps.Clone(h)
	if h == nil {
		h = make(models.Hyperparameters)
	}
	maps.Copy(h, g.Hyperparameters)
	s.Adam = nil // all hyperparameters are in h; chooseOptimizer moves them back
	s.OptimizerHyperparameters = h
	if g.LearningRate != 0 {
		s.LearningRate = g.LearningRate
	}
	o, err := optimizer.Lookup(s.Optimizer)
	if err != nil {
		return s, err
	}
	s.setGroupDecay(o, g.Decay)
	if err := s.chooseOptimizer(); err != nil {
		return s, err
	}
	if err := s.checkDecayRange(); err != nil {
		return s, err
	}
	return s, s.checkDecay(1)
}

// setGroupDecay sets the weight decay of a group's optimizer o, or leaves it as it is if decay is nil.
func (s *Settings) setGroupDecay(o optimizer.Optimizer, decay *float64) {
	if o.HasOwnDecay() {
		s.Decay = 0
		if decay != nil {
			s.OptimizerHyperparameters[optimizer.OwnDecayName] = *decay
		}
		return
	}
	if decay != nil {
		s.Decay = *decay
	}
}

// groupOptimizer moves the weights of a member. Each parameter group has its own optimizer and its own steps, and its
// gradient is clipped separately. A training without parameter groups has one group with all parameters.
type groupOptimizer struct {
	groups []groupState
	grad   []float32 // gradient of one group's weights, and 0 for all other weights
}

// groupState moves one parameter group, or the parameters of all groups without settings.
type groupState struct {
	name   string                      // "" for the parameters of all groups without settings
	ranges []optimizer.Group           // ranges of the group's weights
	state  optimizer.State             // state of the group's optimizer
	clip   optimizer.GradientTransform // gradient clipping; nil if there is none
	rate   float64                     // factor of the training's learning rate
	decay  float64                     // decoupled weight decay
	every  int                         // the group makes a step in every n-th step of the training
	offset int                         // number of steps of the training before the group's first
}

// newOptimizer returns the optimizer of resolved settings before the first step, with a state for each group in
// ParamGroups, and one more with the training's settings for the parameters of all other groups, if there are any. It
// returns an error if there is nothing to train, or if a group has no parameters (groupOf).
func (s Settings) newOptimizer(p *graph.Params) (*groupOptimizer, error) {
	if p.Len() == 0 {
		return nil, errors.New("neither the network nor the objective has a parameter: there is nothing to train")
	}
	o := &groupOptimizer{grad: make([]float32, p.Len())}
	for i, g := range s.ParamGroups {
		belongs := func(parameter graph.Param) bool { return groupOf(s.ParamGroups, parameter) == i }
		if !slices.ContainsFunc(p.List(), belongs) {
			return nil, missingGroupError(g.Name, p)
		}
		settings, err := s.groupSettings(g)
		if err != nil {
			return nil, err
		}
		state := groupState{
			name:   g.Name,
			rate:   settings.LearningRate / s.LearningRate,
			decay:  settings.Decay,
			every:  g.Every,
			offset: g.Offset,
		}
		if err := o.addGroup(state, settings, p, belongs); err != nil {
			return nil, err
		}
	}
	hasNoSettings := func(parameter graph.Param) bool { return !parameter.Buffer && groupOf(s.ParamGroups, parameter) < 0 }
	if len(o.groups) > 0 && !slices.ContainsFunc(p.List(), hasNoSettings) {
		return o, nil
	}
	return o, o.addGroup(groupState{rate: 1, decay: s.Decay, every: 1}, s, p, hasNoSettings)
}

// groupOf returns the index of the group with the settings of a parameter, or −1 if there is none. The name of the
// parameter comes before the name of its layer, and this before the group of its scope.
func groupOf(groups models.ParamGroups, p graph.Param) int {
	names := []string{p.Name, cmp.Or(p.Group, graph.MainGroup)}
	if dot := strings.LastIndex(p.Name, "."); dot > 0 {
		names = slices.Insert(names, 1, p.Name[:dot])
	}
	for _, name := range names {
		i := slices.IndexFunc(groups, func(g models.ParamGroup) bool { return g.Name == name })
		if i >= 0 {
			return i
		}
	}
	return -1
}

// missingGroupError returns the error for settings of a group without parameters.
func missingGroupError(name string, p *graph.Params) error {
	var parameters []string
	for _, parameter := range p.List() {
		parameters = append(parameters, parameter.Name)
	}
	return fmt.Errorf("there is no parameter group %q; want one of %s, a parameter (%s) or its layer, the part of the name before the last dot",
		name, strings.Join(p.Groups(), ", "), strings.Join(parameters, ", "))
}

// addGroup starts the optimizer of g with the settings s, and adds g to the groups. The parameters for
// which belongs returns true belong to g.
func (o *groupOptimizer) addGroup(g groupState, s Settings, p *graph.Params, belongs func(graph.Param) bool) (err error) {
	g.state, g.ranges, err = s.startOptimizer(p, belongs)
	if err != nil && g.name != "" {
		return fmt.Errorf("group %q: %w", g.name, err)
	}
	if err != nil {
		return err
	}
	if len(s.ParamGroups) > 0 && len(optimizer.Rules[optimizer.BatchUser](g.state)) > 0 {
		return fmt.Errorf("group %q: optimizer %s computes with the gradient of all parameters at once, and parameter groups make steps of their own: choose another optimizer for the group", cmp.Or(g.name, graph.MainGroup), s.Optimizer)
	}
	if s.Clip > 0 {
		g.clip = optimizer.ClipNorm(s.Clip)
	}
	o.groups = append(o.groups, g)
	return nil
}

// step makes the steps of the groups whose turn it is. Each of several groups sees a gradient that is 0 for the
// weights of other groups, so that clipping counts the group's own weights only.
func (o *groupOptimizer) step(values, grad []float32, info optimizer.StepInfo) {
	for i := range o.groups {
		g := &o.groups[i]
		groupInfo, isTurn := g.groupStep(info)
		if !isTurn {
			continue
		}
		groupGrad := grad
		if len(o.groups) > 1 {
			groupGrad = o.grad
			clear(groupGrad)
			for _, r := range g.ranges {
				copy(groupGrad[r.From:r.To], grad[r.From:r.To])
			}
		}
		if g.clip != nil {
			groupInfo = g.clip.Apply(values, groupGrad, groupInfo)
		}
		g.state.Step(values, groupGrad, groupInfo)
	}
}

// groupStep reports whether the group makes a step in a step of the training, which info describes. If
// so, groupInfo describes it: its number is counted over the group's steps, and it has the group's
// learning rate and decay.
func (g *groupState) groupStep(info optimizer.StepInfo) (groupInfo optimizer.StepInfo, isTurn bool) {
	stepsSinceFirst := info.Step - 1 - g.offset // steps of the training since the group's first
	if stepsSinceFirst < 0 || stepsSinceFirst%g.every != 0 {
		return info, false
	}
	info.Step = stepsSinceFirst/g.every + 1
	info.Steps = (info.Steps - g.offset + g.every - 1) / g.every // rounded up
	info.Rate *= g.rate
	info.Decay = g.decay
	return info, true
}

// slots returns the slots of all groups, with the group's name before them, as in "critic.m".
func (o *groupOptimizer) slots() []optimizer.Slot {
	var slots []optimizer.Slot
	for _, g := range o.groups {
		for _, slot := range g.state.Slots() {
			if g.name != "" {
				slot.Name = g.name + "." + slot.Name
			}
			slots = append(slots, slot)
		}
	}
	return slots
}

// warning returns the first warning of a group's optimizer, or "" if there is none: see optimizer.Warner.
func (o *groupOptimizer) warning(network string, rate float64) string {
	for _, g := range o.groups {
		for _, warner := range optimizer.Rules[optimizer.Warner](g.state) {
			text := warner.Warning(network, rate*g.rate)
			if text != "" {
				return text
			}
		}
	}
	return ""
}

// rulesOf returns the rules of type T of all groups: see optimizer.Rules.
func rulesOf[T any](o *groupOptimizer) []T {
	var found []T
	for _, g := range o.groups {
		found = append(found, optimizer.Rules[T](g.state)...)
	}
	return found
}
