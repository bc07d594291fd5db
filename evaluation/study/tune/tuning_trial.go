package tune

import (
	"slices"
	"strings"

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
// its network has are "", and settings that its method does not read.
func (t Tuning) clearInapplicable(values []string) []string {
	values = slices.Clone(values)
	for i, d := range t.Space {
		if t.isHyperparameter(d.Key) && !t.trialHasHyperparameter(values, d.Key) && !isTrainingSetting(d.Key) {
			values[i] = ""
		}
		if t.whyIgnored(values, d.Key) != "" {
			values[i] = ""
		}
	}
	return values
}

// whyIgnored returns why a trial with these values does not read the setting with a key, or "" if it does. A value of ""
// is left out.
func (t Tuning) whyIgnored(values []string, key string) string {
	setting, err := experiment.LookupSetting(key)
	if err != nil || t.trialHasHyperparameter(values, key) {
		return ""
	}
	settings := experiment.DefaultSettings()
	settings.Spec.Method = t.method(values)
	for _, s := range experiment.ListSettings() {
		value := ""
		if i := t.Space.index(s.Key); i >= 0 {
			value = values[i]
		} else if shared := t.Study.Settings[s.Key]; len(shared) > 0 {
			value = shared[0]
		}
		if parsed, err := s.Parse(value); err == nil && value != "" {
			_ = s.Set(&settings, parsed) // checkValues reports a value that is not valid
		}
	}
	return setting.WhyIgnored(settings)
}

// isTrainingSetting reports whether every training, whatever its method, has a setting with this key.
func isTrainingSetting(key string) bool {
	_, err := experiment.LookupSetting(key)
	return err == nil
}

// whyAllIgnore returns why no trial reads the setting with a key, or "" if the trials of a method do.
func (t Tuning) whyAllIgnore(key string) (reason string) {
	values := make([]string, len(t.Space)) // another setting has another value in some trial
	for _, method := range t.methods() {
		if i := t.Space.index(methodKey); i >= 0 {
			values[i] = method
		}
		reason = t.whyIgnored(values, key)
		if reason == "" {
			return ""
		}
	}
	return reason
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

// isReadBy reports whether the method of one of the labels reads the setting with a key.
func (t Tuning) isReadBy(labels []string, key string) bool {
	setting, err := experiment.LookupSetting(key)
	if err != nil {
		return true
	}
	return slices.ContainsFunc(labels, func(label string) bool {
		settings := experiment.DefaultSettings()
		settings.Spec.Method, _, _ = strings.Cut(label, " ")
		return setting.WhyIgnored(settings) == ""
	})
}

// config returns the configuration of a study that trains each label on all inner folds. Settings of all trials that no
// label's method reads, but other methods do, are left out.
func (t Tuning) config(labels ...string) study.Config {
	c := t.Study
	c.Methods = labels
	c.Inner = t.Folds
	c.Settings = make(study.Settings)
	for key, values := range t.Study.Settings {
		if t.whyAllIgnore(key) != "" || t.isReadBy(labels, key) {
			c.Settings[key] = values
		}
	}
	if m, err := measure.Lookup(t.Measure); err == nil && m.OnRequest {
		c.Measures = []string{m.Name}
	}
	return c
}
