package models

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ParamGroup holds the settings by which a training updates one group of parameters. Values that are not
// set default to the settings of the training.
type ParamGroup struct {
	// Name is the Group of a graph.Scope, the name of a further network (Task.Network) or graph.MainGroup; or a
	// parameter such as output.weight; or a layer such as output, whose parameters have this name before their
	// last dot. A parameter follows its own name before its layer, and its layer before its group.
	Name string

	Optimizer       string          // registered name (trainers/optimizer)
	Hyperparameters Hyperparameters // hyperparameters of the optimizer
	LearningRate    float64         // before the schedule; if Optimizer is not the training's, default the optimizer's
	Decay           *float64        // decoupled weight decay, also if the optimizer has its own

	// Every and Offset select the steps that update the group: the steps, counted from 0, whose index
	// divided by Every leaves the remainder Offset, from 0 to Every − 1. The default is 1 and 0: every
	// step.
	Every, Offset int
}

// ParamGroups lists the groups of a training that have settings of their own. Its text, also in JSON, is
//
//	NAME:KEY=VALUE,KEY=VALUE;NAME:KEY=VALUE
//
// where KEY is optimizer, lr, decay, every, offset or a hyperparameter of the optimizer. An example is
// critic:optimizer=sgd,momentum=0.5,lr=0.0001;main:every=5.
type ParamGroups []ParamGroup

// ParseParamGroups returns the groups that text describes, none for "".
func ParseParamGroups(text string) (ParamGroups, error) {
	if text == "" {
		return nil, nil
	}
	var groups ParamGroups
	for _, part := range strings.Split(text, ";") {
		name, list, found := strings.Cut(part, ":")
		g := ParamGroup{Name: name}
		if !isGroupName(name) || strings.ContainsAny(list, " \t\n") {
			return nil, fmt.Errorf("group %q: want no blanks around names and values", part)
		}
		if g.Name == "" || !found {
			return nil, fmt.Errorf("group %q: want NAME:KEY=VALUE,KEY=VALUE, such as critic:optimizer=sgd,lr=0.0001", part)
		}
		if groups.index(g.Name) >= 0 {
			return nil, fmt.Errorf("group %q is repeated", g.Name)
		}
		if err := g.parse(list); err != nil {
			return nil, fmt.Errorf("group %q: %w", g.Name, err)
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// isGroupName reports whether the text of groups can have the name of a group: a name with the signs between groups, or with
// blanks around it, would be read as another one.
func isGroupName(name string) bool {
	return !strings.ContainsAny(name, ";:\t\n") && strings.TrimSpace(name) == name
}

// parse sets the fields of g to the values of a list KEY=VALUE,KEY=VALUE. Keys without a field are
// hyperparameters. It returns an error if a key is repeated or a value is not a number.
func (g *ParamGroup) parse(list string) (err error) {
	var hyperparameters []string
	seen := make(map[string]bool)
	for _, pair := range strings.Split(list, ",") {
		key, value, _ := strings.Cut(pair, "=")
		if seen[key] {
			return fmt.Errorf("%s is set twice", key)
		}
		seen[key] = true
		switch key {
		case "optimizer":
			g.Optimizer = value
		case "lr":
			g.LearningRate, err = strconv.ParseFloat(value, 64)
		case "decay":
			var decay float64
			decay, err = strconv.ParseFloat(value, 64)
			g.Decay = &decay
		case "every":
			g.Every, err = strconv.Atoi(value)
		case "offset":
			g.Offset, err = strconv.Atoi(value)
		default:
			hyperparameters = append(hyperparameters, pair)
		}
		if err != nil {
			return fmt.Errorf("%s is %q: want a number", key, value)
		}
		isZero := key == "lr" && g.LearningRate == 0 || key == "every" && g.Every == 0
		if isZero { // in the fields, 0 stands for a default
			return fmt.Errorf("%s is %s: want a number above 0", key, value)
		}
	}
	if len(hyperparameters) > 0 {
		g.Hyperparameters, err = ParseHyperparameters(hyperparameters)
	}
	return err
}

// String returns the groups as ParseParamGroups reads them.
func (groups ParamGroups) String() string {
	var parts []string
	for _, g := range groups {
		parts = append(parts, g.Name+":"+strings.Join(g.pairs(), ","))
	}
	return strings.Join(parts, ";")
}

// pairs returns the chosen values as KEY=VALUE.
func (g ParamGroup) pairs() []string {
	var pairs []string
	add := func(key string, value any) { pairs = append(pairs, fmt.Sprintf("%s=%v", key, value)) }
	if g.Optimizer != "" {
		add("optimizer", g.Optimizer)
	}
	for _, name := range slices.Sorted(maps.Keys(g.Hyperparameters)) {
		add(name, g.Hyperparameters[name])
	}
	if g.LearningRate != 0 {
		add("lr", g.LearningRate)
	}
	if g.Decay != nil {
		add("decay", *g.Decay)
	}
	if g.Every != 0 {
		add("every", g.Every)
	}
	if g.Offset != 0 {
		add("offset", g.Offset)
	}
	return pairs
}

// MarshalText returns the text of String.
func (groups ParamGroups) MarshalText() ([]byte, error) { return []byte(groups.String()), nil }

// UnmarshalText reads the text of String. It returns the errors of ParseParamGroups.
func (groups *ParamGroups) UnmarshalText(text []byte) (err error) {
	*groups, err = ParseParamGroups(string(text))
	return err
}

// index returns the index of the group with that name, or −1.
func (groups ParamGroups) index(name string) int {
	return slices.IndexFunc(groups, func(g ParamGroup) bool { return g.Name == name })
}

// Merge returns groups with the values of chosen in place of their own, followed by the groups that
// only chosen has.
func (groups ParamGroups) Merge(chosen ParamGroups) ParamGroups {
	all := slices.Clone(groups)
	for _, c := range chosen {
		i := all.index(c.Name)
		if i < 0 {
			all = append(all, c)
			continue
		}
		all[i] = all[i].override(c)
	}
	return all
}

// override returns g with the values that are set in chosen in place of its own. Hyperparameters and
// learning rate suit one optimizer, so those of g are left out if chosen has another optimizer. In the
// same way, a chosen Every resets the offset.
func (g ParamGroup) override(chosen ParamGroup) ParamGroup {
	if chosen.Optimizer != "" && chosen.Optimizer != g.Optimizer {
		g.Optimizer = chosen.Optimizer
		g.Hyperparameters = nil
		g.LearningRate = 0
	}
	if len(chosen.Hyperparameters) > 0 {
		merged := maps.Clone(g.Hyperparameters) // other copies of g have the same map
		if merged == nil {
			merged = make(Hyperparameters)
		}
		maps.Copy(merged, chosen.Hyperparameters)
		g.Hyperparameters = merged
	}
	if chosen.LearningRate != 0 {
		g.LearningRate = chosen.LearningRate
	}
	if chosen.Decay != nil {
		g.Decay = chosen.Decay
	}
	if chosen.Every != 0 {
		g.Every = chosen.Every
		g.Offset = 0
	}
	if chosen.Offset != 0 {
		g.Offset = chosen.Offset
	}
	return g
}

// CheckSteps returns an error unless the steps of the group are possible.
func (g ParamGroup) CheckSteps() error {
	err := groupSteps.Check("every", g.Every)
	if err != nil && g.Every != 0 { // 0 stands for the default, 1
		return fmt.Errorf("group %q: %w", g.Name, err)
	}
	every := max(1, g.Every)
	if g.Offset < 0 || g.Offset >= every {
		return fmt.Errorf("group %q: offset is %d: want 0 to %d, less than every", g.Name, g.Offset, every-1)
	}
	return nil
}

// groupSteps is the range of ParamGroup.Every.
var groupSteps = Range{Min: 1, Max: 1e6}
