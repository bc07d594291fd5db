package study

import (
	"cmp"
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/models"
)

// axis is a setting with its values in a study. Each cell has one of the values.
type axis struct {
	experiment.Setting
	values []string
}

// labelParts lists the parts of a training in the order of their settings in labels.
var labelParts = []string{"network", "training", "calibration", "prediction"}

// axes returns the settings that have values in a resolved configuration, in the order of labels: part by part, and
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
	labelSuffix string // text that follows the method's label: the choices on axes with several values
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
	variants := []variant{{}} // without axes there is one variant, without choices
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
		others := slices.Delete(slices.Clone(axes), i, i+1)
		for _, value := range a.values {
			if err := c.checkVariant(label, variantWith(a, value, others)); err != nil {
				return err
			}
		}
	}
	return nil
}

// variantWith returns the variant with a value on one axis and the first value on the others.
func variantWith(a axis, value string, others []axis) variant {
	choices := []choice{{a.Setting, value}}
	for _, other := range others {
		choices = append(choices, choice{other.Setting, other.values[0]})
	}
	return variant{choices: choices}
}

// checkVariant returns an error if the label's method cannot be trained with a variant on any table or data set of the
// study, with the defaults that a table of usual size has.
func (c Config) checkVariant(p parsedLabel, v variant) error {
	names := slices.Clone(c.Datasets)
	for _, t := range c.Tables {
		names = append(names, t.Data)
	}
	var firstError error
	for _, name := range names {
		err := c.checkVariantOn(name, p, v)
		if err == nil {
			return nil
		}
		firstError = cmp.Or(firstError, err)
	}
	return firstError
}

// usualRows is a number of rows with which a table has all defaults that depend on the number of rows.
const usualRows = 1000

// checkVariantOn returns an error if the label's method cannot be trained with a variant on the table or data set with a
// name.
func (c Config) checkVariantOn(name string, p parsedLabel, v variant) error {
	targets := max(1, p.method.Targets) // 0 if the method takes any number
	s := initialSettings(targets, 1)    // the number of inputs does not matter
	s.Table.Rows = usualRows
	s.Training.Protocol = data.Protocol(c.Protocol)
	s.Spec.Method = p.method.Name
	if err := v.apply(&s); err != nil {
		return err
	}
	preset, err := c.preset()
	if err != nil {
		return err
	}
	isChosen := func(key string) bool {
		return slices.ContainsFunc(v.choices, func(c choice) bool { return c.Key == key })
	}
	s, _, err = preset.recipeFor(name, usualRows).Complete(s, isChosen)
	if err != nil {
		return err
	}
	s, err = setMethod(s, p.method, p.hyperparameters)
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

// setMethod returns the settings with a method and its hyperparameters. It returns an error if the settings choose an
// activation function for a network that has its own, or if the hyperparameters are not valid for the method and the
// settings' network.
func setMethod(s experiment.Settings, method models.Method, hyperparameters models.Hyperparameters) (experiment.Settings, error) {
	architecture := s.Spec.Architecture
	network, err := models.Spec{Method: method.Name, Architecture: architecture}.Network()
	if err != nil {
		return s, err
	}
	hasOwnActivation := len(network.Activations) == 0 // there is nothing to choose from
	if hasOwnActivation && architecture.Activation != "" {
		return s, fmt.Errorf("activation %s: network %s has a fixed activation; remove the setting", architecture.Activation, network.Name)
	}
	s.Spec, err = models.NewSpec(method.Name, hyperparameters, architecture)
	return s, err
}
