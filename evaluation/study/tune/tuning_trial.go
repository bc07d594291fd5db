package tune

import (
	"slices"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/models"
)

// The methods in this file interpret the values of a trial: a slice with one text for each dimension of the
// space, in the space's order. The text is "" if the setting does not apply to the trial.

// method returns the name of the method of a trial with these values.
func (t Tuning) method(values []string) string {
	if i := t.Space.index(methodKey); i >= 0 {
		return values[i]
	}
	return t.Method
}

// network returns the name of the network of a trial with these values, or "" for the method's default network.
func (t Tuning) network(values []string) string {
	if i := t.Space.index(networkKey); i >= 0 {
		return values[i]
	}
	return t.networks()[0]
}

// trialHasHyperparameter reports whether the method or the network of a trial with these values has a
// hyperparameter with the name key.
func (t Tuning) trialHasHyperparameter(values []string, key string) bool {
	m, err := models.Lookup(t.method(values))
	if err != nil {
		return false
	}
	hyperparameters := m.AllHyperparameters(t.network(values))
	return slices.ContainsFunc(hyperparameters, func(h models.Hyperparameter) bool { return h.Name == key })
}

// clearInapplicable returns a copy of the values of a trial in which hyperparameters that neither its method nor
// its network has are "".
func (t Tuning) clearInapplicable(values []string) []string {
	values = slices.Clone(values)
	for i, d := range t.Space {
		if t.isHyperparameter(d.Key) && !t.trialHasHyperparameter(values, d.Key) && !isTrainingSetting(d.Key) {
			values[i] = ""
		}
	}
	return values
}

// isTrainingSetting reports whether every training, whatever its method, has a setting with this key.
func isTrainingSetting(key string) bool {
	_, err := experiment.LookupSetting(key)
	return err == nil
}

// settings returns the settings of a trial with these values, without the settings that do not apply to it.
func (t Tuning) settings(values []string) []Setting {
	var settings []Setting
	for i, d := range t.Space {
		if values[i] == "" {
			continue
		}
		settings = append(settings, Setting{
			Key:            d.Key,
			Value:          values[i],
			Hyperparameter: t.trialHasHyperparameter(values, d.Key),
		})
	}
	return settings
}

// label returns the method and settings of a trial with these values as a label of a study, such as
// "sml beta=0.25 lr=0.01 by sgd". The optimizer comes last.
func (t Tuning) label(values []string) string {
	label := t.method(values)
	optimizer := ""
	for i, d := range t.Space {
		value := values[i]
		switch {
		case d.Key == methodKey || value == "":
			// the label begins with the method
		case d.Key == optimizerKey && !t.trialHasHyperparameter(values, d.Key):
			optimizer = study.OptimizerSeparator + value
		default:
			label += " " + d.Key + "=" + value
		}
	}
	return label + optimizer
}

// config returns the configuration of a study that trains each label on all inner folds.
func (t Tuning) config(labels ...string) study.Config {
	c := t.Study
	c.Methods = labels
	c.Inner = t.Folds
	if m, err := measure.Lookup(t.Measure); err == nil && m.OnRequest {
		c.Measures = []string{m.Name}
	}
	return c
}
