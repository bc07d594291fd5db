package study

import (
	"cmp"
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation/experiment"
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
	position := func(a axis) int {
		if a.Key == optimizerKey {
			return len(labelParts)
		}
		return slices.Index(labelParts, a.Part)
	}
	var axes []axis
	for _, s := range variableSettings() {
		if values := c.Settings[s.Key]; len(values) > 0 {
			axes = append(axes, axis{s, values})
		}
	}
	slices.SortStableFunc(axes, func(a, b axis) int { return cmp.Compare(position(a), position(b)) })
	return axes
}

// product returns every combination of one value per axis. The values of the last axis change first. Without axes there is
// one combination, without values.
func product(axes []axis) [][]string {
	combinations := [][]string{nil}
	for _, a := range axes {
		var extended [][]string
		for _, values := range combinations {
			for _, v := range a.values {
				extended = append(extended, append(slices.Clip(values), v))
			}
		}
		combinations = extended
	}
	return combinations
}

// productSize returns the number of combinations of product. It is a float64 since an int could overflow.
func productSize(axes []axis) float64 {
	n := 1.0
	for _, a := range axes {
		n *= float64(len(a.values))
	}
	return n
}

// variantLabel returns a method's label followed by the values on the axes that have several.
func variantLabel(label string, axes []axis, values []string) string {
	for i, a := range axes {
		if len(a.values) > 1 {
			label += labelSuffix(a.Setting, values[i])
		}
	}
	return label
}

// setValues chooses one value per axis in s.
func setValues(s *experiment.Settings, axes []axis, values []string) error {
	for i, a := range axes {
		if err := s.Choose(a.Setting, values[i]); err != nil {
			return fmt.Errorf("%s %q: %w", a.Key, values[i], err)
		}
	}
	return nil
}

// checkAxes returns an error if a value of an axis cannot be used with the label's method on any table or data set of the
// study. It tries each value together with the first value of all other axes, since all combinations would be too many.
func (c Config) checkAxes(label parsedLabel, axes []axis) error {
	values := firstValues(axes)
	for i, a := range axes {
		for _, v := range a.values {
			values[i] = v
			if err := c.checkValues(label, axes, values); err != nil {
				return err
			}
		}
		values[i] = a.values[0]
	}
	return nil
}

// firstValues returns the first value of each axis.
func firstValues(axes []axis) []string {
	values := make([]string, len(axes))
	for i, a := range axes {
		values[i] = a.values[0]
	}
	return values
}

// checkValues returns an error if the label's method cannot be trained with one value per axis on any table or data set
// of the study, with the defaults that a table of usual size has.
func (c Config) checkValues(label parsedLabel, axes []axis, values []string) error {
	names := slices.Clone(c.Datasets)
	for _, t := range c.Tables {
		names = append(names, t.Data)
	}
	var firstError error
	for _, name := range names {
		err := c.checkValuesOn(name, label, axes, values)
		if err == nil {
			return nil
		}
		firstError = cmp.Or(firstError, err)
	}
	return firstError
}

// usualRows is the number of rows of the imagined tables on which settings are tried. A table of this size has every
// default that depends on the number of rows.
const usualRows = 1000

// checkValuesOn returns an error if the label's method cannot be trained with one value per axis on the table or data set
// with a name. It completes the settings in the order of variantSettings, but does not read the table.
func (c Config) checkValuesOn(name string, label parsedLabel, axes []axis, values []string) error {
	preset, _ := c.preset()                 // addPreset has found it
	targets := max(1, label.method.Targets) // Targets is 0 if the method takes any number
	const inputs = 1                        // any number will do
	s := initialSettings(targets, inputs)
	s.Table.Rows = usualRows
	s.Training.Protocol = data.Protocol(c.Protocol)
	s, err := label.completeSettings(s, preset.recipeFor(name, usualRows), axes, values)
	if err != nil {
		return err
	}
	_, err = s.Resolve()
	return err
}

// completeSettings returns the settings s with the label's method, one value per axis, and the defaults of a table's
// recipe.
func (p parsedLabel) completeSettings(s experiment.Settings, recipe experiment.Recipe, axes []axis, values []string) (experiment.Settings, error) {
	s.Spec.Method = p.method.Name
	s.Spec.Hyperparameters = p.hyperparameters
	if err := setValues(&s, axes, values); err != nil {
		return s, err
	}
	s, _, err := recipe.Complete(s)
	return s, err
}

// initialSettings returns the default settings for a network with the given numbers of targets and inputs.
func initialSettings(targets, inputs int) experiment.Settings {
	s := experiment.DefaultSettings()
	s.Spec.Architecture.Inputs = inputs
	s.Spec.Architecture.Targets = targets
	return s
}
