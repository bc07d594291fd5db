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

// valueOf returns the value of the dimension with a key in a trial with these values, or other if the space has no such
// dimension.
func (t Tuning) valueOf(key string, values []string, other string) string {
	if i := t.Space.index(key); i >= 0 {
		return values[i]
	}
	return other
}

// method returns the name of the method of a trial with these values.
func (t Tuning) method(values []string) string { return t.valueOf(methodKey, values, t.Method) }

// trialHasHyperparameter reports whether the method or the network of a trial with these values has a
// hyperparameter with the name key.
func (t Tuning) trialHasHyperparameter(values []string, key string) bool {
	m, err := models.Lookup(t.method(values))
	if err != nil {
		return false
	}
	hyperparameters := m.AllHyperparameters(t.valueOf(networkKey, values, t.networks()[0]))
	return slices.ContainsFunc(hyperparameters, func(h models.Hyperparameter) bool { return h.Name == key })
}

// newTrial returns the trial with these values. Hyperparameters that neither its method nor its network has, and settings
// that its method does not read, become "" in its values and are not among its settings.
func (t Tuning) newTrial(number int, values []string) Trial {
	values = slices.Clone(values)
	for i, d := range t.Space {
		if !t.applies(d.Key, values) {
			values[i] = ""
		}
	}
	trial := Trial{
		Number: number,
		Method: t.method(values),
		State:  Stopped, // until it has a rung
		Rungs:  []Rung{},
		Values: values,
	}
	for i, d := range t.Space {
		if values[i] == "" {
			continue
		}
		trial.Settings = append(trial.Settings, Setting{
			Key:            d.Key,
			Value:          values[i],
			Hyperparameter: t.trialHasHyperparameter(values, d.Key),
		})
	}
	return trial
}

// applies reports whether a trial with these values reads the value of the dimension with a key: as a hyperparameter of its
// method or network, or as a setting of the training.
func (t Tuning) applies(key string, values []string) bool {
	if t.isHyperparameter(key) && !t.trialHasHyperparameter(values, key) && !isTrainingSetting(key) {
		return false // it belongs to another method or network
	}
	return t.whyIgnored(values, key) == ""
}

// whyIgnored returns why a trial with these values does not read the setting with a key, or "" if it does. A value of ""
// is left out.
func (t Tuning) whyIgnored(values []string, key string) string {
	setting, err := experiment.LookupSetting(key)
	if err != nil || t.trialHasHyperparameter(values, key) {
		return "" // the key means a hyperparameter
	}
	settings := experiment.DefaultSettings()
	settings.Spec.Method = t.method(values)
	for _, s := range experiment.ListSettings() {
		shared := ""
		if list := t.Study.Settings[s.Key]; len(list) > 0 {
			shared = list[0]
		}
		value := t.valueOf(s.Key, values, shared)
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

// config returns the configuration of a study that trains each label on all inner folds. It leaves out settings that only
// methods of other labels read. Settings that no method reads stay, so that the plan of the study refuses them.
func (t Tuning) config(labels ...string) study.Config {
	c := t.Study
	c.Methods = labels
	c.Inner = t.Folds
	c.Settings = make(study.Settings)
	for key, values := range t.Study.Settings {
		isReadByNone := t.whyAllIgnore(key) != ""
		if isReadByNone || t.isReadBy(labels, key) {
			c.Settings[key] = values
		}
	}
	if m, err := measure.Lookup(t.Measure); err == nil && m.OnRequest {
		c.Measures = []string{m.Name}
	}
	return c
}
