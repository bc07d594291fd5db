package study

import (
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/experiment"
	"sml/internal/strict"
)

// Settings holds the values of settings by their keys, such as "dropout": {"0.05", "0.1"}. experiment.ListSettings lists
// the keys. A setting without values has its default, or the value of the data set's recipe.
type Settings map[string]strict.List[string]

// variableSettings returns the settings that a study may vary.
func variableSettings() []experiment.Setting {
	return slices.DeleteFunc(experiment.ListSettings(), func(s experiment.Setting) bool { return s.TrainOnly })
}

// isVariable reports whether a study may vary a setting with the key.
func isVariable(key string) bool {
	s, err := experiment.LookupSetting(key)
	return err == nil && !s.TrainOnly
}

// merge returns the values of s and overrides together. A value of overrides takes the place of the values of s for the
// same setting, and for another setting of the same field of experiment.Settings, such as width for hidden. Neither s nor
// overrides changes.
func (s Settings) merge(overrides Settings) Settings {
	merged := make(Settings)
	for key, values := range s {
		if overrides.conflictingKey(key) == "" {
			merged[key] = values
		}
	}
	for key, values := range overrides {
		if len(values) > 0 {
			merged[key] = values
		}
	}
	return merged.nilIfEmpty()
}

// conflictingKey returns the key of another setting of s that sets the same field of experiment.Settings as the setting
// with the given key, or "" if there is none.
func (s Settings) conflictingKey(key string) string {
	setting, err := experiment.LookupSetting(key)
	if err != nil {
		return ""
	}
	for _, other := range variableSettings() {
		if other.SetsSameField(setting) && len(s[other.Key]) > 0 {
			return other.Key
		}
	}
	return ""
}

// nilIfEmpty returns nil in place of empty settings, so that equal configurations are deeply equal.
func (s Settings) nilIfEmpty() Settings {
	if len(s) == 0 {
		return nil
	}
	return s
}

// resolve returns the settings with each value in its standard form, such as "0.05" for "5e-2". It returns an error if a
// key is unknown, a value is not valid for its setting, or two settings set the same field of experiment.Settings.
func (s Settings) resolve() (Settings, error) {
	for key := range s {
		if !isVariable(key) {
			return s, unknownSetting(key)
		}
	}
	resolved := make(Settings)
	for _, setting := range variableSettings() { // in this order, so that the first error does not depend on the map
		key := setting.Key
		if other := s.conflictingKey(key); len(s[key]) > 0 && other != "" {
			return s, fmt.Errorf("%s and %s cannot both be chosen; remove one of them", key, other)
		}
		for _, text := range s[key] {
			value, err := setting.Parse(text)
			if err != nil {
				return s, err
			}
			resolved[key] = append(resolved[key], value)
		}
	}
	return resolved.nilIfEmpty(), nil
}

// Set gives a setting one value. It returns an error if there is no such setting, or no such value of it.
func (c *Config) Set(key, value string) error {
	settings, err := Settings{key: {value}}.resolve()
	if err != nil {
		return err
	}
	c.Settings = c.Settings.merge(settings)
	return nil
}

// unknownSetting returns the error for a key that no setting has.
func unknownSetting(key string) error {
	var keys []string
	for _, s := range variableSettings() {
		keys = append(keys, s.Key)
	}
	return fmt.Errorf("unknown setting %q; want one of %s", key, strings.Join(keys, ", "))
}
