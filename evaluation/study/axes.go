package study

import (
	"cmp"
	"fmt"
	"slices"

	"sml/evaluation/experiment"
	"sml/models"
)

// axis is a setting with its values in a study. Each cell has one of the values.
type axis struct {
	experiment.Setting
	values []string
}

// labelParts lists the parts of a training in the order in which labels name their settings.
var labelParts = []string{"network", "training", "calibration", "prediction"}

// axes returns the settings for which a resolved configuration has values, in the order of labels: part by part, and
// the optimizer last.
func (c Config) axes() []axis {
	var axes []axis
	for _, s := range variableSettings() {
		if values := c.Settings[s.Key]; len(values) > 0 {
			axes = append(axes, axis{s, values})
		}
	}
	slices.SortStableFunc(axes, func(a, b axis) int { return cmp.Compare(labelPosition(a.Setting), labelPosition(b.Setting)) })
	return axes
}

// labelPosition returns the position of a setting's part in labels. The optimizer comes after all parts.
func labelPosition(s experiment.Setting) int {
	if s.Key == optimizerKey {
		return len(labelParts)
	}
	return slices.Index(labelParts, s.Part)
}

// choice is one value of a setting.
type choice struct {
	experiment.Setting
	value string
}

// variant has one choice for each axis of a study.
type variant struct {
	labelSuffix string // what follows a method's label: the choices on axes with several values
	choices     []choice
}

// apply sets the values of the variant in s.
func (v variant) apply(s *experiment.Settings) error {
	for _, c := range v.choices {
		if err := c.Set(s, c.value); err != nil {
			return fmt.Errorf("%s %q: %w", c.Key, c.value, err)
		}
	}
	return nil
}

// variants returns every combination of the values of all axes. The values of the last axis change first.
func (c Config) variants() []variant {
	variants := []variant{{}}
	for _, a := range c.axes() {
		var extended []variant
		for _, v := range variants {
			for _, value := range a.values {
				extended = append(extended, v.extend(a, value))
			}
		}
		variants = extended
	}
	return variants
}

// extend returns a copy of the variant with the choice of a value on another axis.
func (v variant) extend(a axis, value string) variant {
	extended := variant{
		labelSuffix: v.labelSuffix,
		choices:     append(slices.Clone(v.choices), choice{a.Setting, value}),
	}
	if len(a.values) > 1 {
		extended.labelSuffix += labelSuffix(a.Setting, value)
	}
	return extended
}

// countVariants returns the number of variants without listing them. It is a float64 since an int could overflow.
func (c Config) countVariants() float64 {
	n := 1.0
	for _, a := range c.axes() {
		n *= float64(len(a.values))
	}
	return n
}

// checkAxes returns an error if a value of an axis cannot be used with the label's method. It tries each value together
// with the first value of all other axes.
func (c Config) checkAxes(label parsedLabel) error {
	axes := c.axes()
	for i, a := range axes {
		for _, value := range a.values {
			v := variant{choices: []choice{{a.Setting, value}}}
			for j, other := range axes {
				if j != i {
					v.choices = append(v.choices, choice{other.Setting, other.values[0]})
				}
			}
			if err := label.checkVariant(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkVariant returns an error if the label's method cannot be trained with a variant on any table.
func (p parsedLabel) checkVariant(v variant) error {
	targets := max(1, p.method.Targets)
	s := initialSettings(targets, 1)
	if err := v.apply(&s); err != nil {
		return err
	}
	s, err := setMethod(s, p.method, p.hyperparameters)
	if err != nil {
		return err
	}
	_, err = s.Resolve()
	return err
}

// initialSettings returns the default settings for a network with the given numbers of targets and inputs.
func initialSettings(targets, inputs int) experiment.Settings {
	s := experiment.DefaultSettings()
	s.Spec.Architecture.Inputs = inputs
	s.Spec.Architecture.Targets = targets
	return s
}

// setMethod returns the settings with a method and its hyperparameters. It returns an error if the network fixes its
// activation function and the settings choose one, or if the hyperparameters are not valid.
func setMethod(s experiment.Settings, method models.Method, hyperparameters models.Hyperparameters) (experiment.Settings, error) {
	architecture := s.Spec.Architecture
	network, err := models.Spec{Method: method.Name, Architecture: architecture}.Network()
	if err != nil {
		return s, err
	}
	if len(network.Activations) == 0 && architecture.Activation != "" {
		return s, fmt.Errorf("activation %s: network %s has a fixed activation; remove the setting", architecture.Activation, network.Name)
	}
	s.Spec, err = models.NewSpec(method.Name, hyperparameters, architecture)
	return s, err
}
