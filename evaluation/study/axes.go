package study

import (
	"fmt"
	"slices"

	"sml/evaluation/experiment"
	"sml/models"
)

// axis is a setting with its values in a study. Each cell has one value.
type axis struct {
	experiment.Setting
	values []string
}

// labelParts lists the parts of settings in the order of labels.
var labelParts = []string{"network", "training", "calibration", "prediction"}

// axes returns the settings that a resolved configuration has values of, in the order of
// labels: part by part, and the optimizer last.
func (c Config) axes() []axis {
	var list, last []axis
	for _, s := range variableSettings() {
		values := c.Settings[s.Key]
		switch {
		case len(values) == 0:
		case s.Key == optimizerKey:
			last = append(last, axis{s, values})
		default:
			list = append(list, axis{s, values})
		}
	}
	slices.SortStableFunc(list, func(a, b axis) int { return slices.Index(labelParts, a.Part) - slices.Index(labelParts, b.Part) })
	return append(list, last...)
}

// choice is a value of a setting.
type choice struct {
	experiment.Setting
	value string
}

// variant is a choice of a value for each setting.
type variant struct {
	label   string // the end of a method's label: the values of the settings with several
	choices []choice
}

// apply sets the values of the variant.
func (v variant) apply(to *experiment.Settings) error {
	for _, c := range v.choices {
		if err := c.Set(to, c.value); err != nil {
			return fmt.Errorf("%s %q: %w", c.Key, c.value, err)
		}
	}
	return nil
}

// variants returns all variants. The values of the last setting change first.
func (c Config) variants() []variant {
	list := []variant{{}}
	for _, a := range c.axes() {
		var longer []variant
		for _, v := range list {
			for _, value := range a.values {
				next := variant{v.label, append(slices.Clone(v.choices), choice{a.Setting, value})}
				if len(a.values) > 1 {
					next.label += labelSuffix(a.Setting, value)
				}
				longer = append(longer, next)
			}
		}
		list = longer
	}
	return list
}

// size is the number of variants, without listing them.
func (c Config) size() float64 {
	n := 1.0
	for _, a := range c.axes() {
		n *= float64(len(a.values))
	}
	return n
}

// checkAxes tries each value of each setting with the first value of the others, for one
// method.
func (c Config) checkAxes(parsed parsedLabel) error {
	axes := c.axes()
	for i, a := range axes {
		for _, value := range a.values {
			v := variant{choices: []choice{{a.Setting, value}}}
			for j, other := range axes {
				if j != i {
					v.choices = append(v.choices, choice{other.Setting, other.values[0]})
				}
			}
			if err := parsed.check(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// check returns an error if the label's method cannot be trained with a variant on any table.
func (p parsedLabel) check(v variant) error {
	s := draft(max(1, p.method.Targets), 1)
	if err := v.apply(&s); err != nil {
		return err
	}
	s, err := complete(s, p.method, p.hyperparameters)
	if err != nil {
		return err
	}
	_, err = s.Resolve()
	return err
}

// draft returns the settings that a cell begins with.
func draft(targets, inputs int) experiment.Settings {
	s := experiment.DefaultSettings()
	s.Spec.Architecture.Inputs, s.Spec.Architecture.Targets = inputs, targets
	return s
}

// complete makes the settings those of a method.
func complete(s experiment.Settings, method models.Method, chosen models.Hyperparameters) (experiment.Settings, error) {
	a := s.Spec.Architecture
	network, err := models.Spec{Method: method.Name, Architecture: a}.Network()
	if err != nil {
		return s, err
	}
	if len(network.Activations) == 0 && a.Activation != "" {
		return s, fmt.Errorf("activation %s: network %s has one of its own", a.Activation, network.Name)
	}
	s.Spec, err = models.NewSpec(method.Name, chosen, a)
	return s, err
}
