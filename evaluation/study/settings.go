package study

import (
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/experiment"
)

// Settings holds the values of settings by their keys, such as "dropout": {"0.05", "0.1"}.
// experiment.ListSettings lists the keys. A setting without values has its default, or the
// value of the data set's recipe. In YAML and JSON the keys stand beside the other keys of
// Config, and numbers are numbers.
type Settings map[string][]string

// variableSettings returns the settings that a study may vary.
func variableSettings() []experiment.Setting {
	return slices.DeleteFunc(experiment.ListSettings(), func(s experiment.Setting) bool { return !s.Vary })
}

// lookupSetting returns the setting with a key. It returns false if a study cannot vary it.
func lookupSetting(key string) (experiment.Setting, bool) {
	s, err := experiment.LookupSetting(key)
	return s, err == nil && s.Vary
}

// with returns s with the values of o in place of values for the same fields of
// experiment.Settings. Neither s nor o changes.
func (s Settings) merge(o Settings) Settings {
	mergedStudies := make(Settings)
	for key, values := range s {
		if setting, ok := lookupSetting(key); !ok || o.conflictingKey(setting) == "" {
			mergedStudies[key] = values
		}
	}
	for key, values := range o {
		if len(values) > 0 {
			mergedStudies[key] = values
		}
	}
	return mergedStudies.nilIfEmpty()
}

// conflictingKey returns the key of another setting of s that sets the same field, "" if there is
// none.
func (s Settings) conflictingKey(setting experiment.Setting) string {
	for _, other := range variableSettings() {
		if other.SetsSameField(setting) && len(s[other.Key]) > 0 {
			return other.Key
		}
	}
	return ""
}

// nilIfEmpty returns nil in place of empty settings, as a configuration without settings is
// read from its file.
func (s Settings) nilIfEmpty() Settings {
	if len(s) == 0 {
		return nil
	}
	return s
}

// resolve returns the settings with each value in its one form. It returns an error if a
// key is unknown, a value is not valid for its setting, or two settings set the same field.
func (s Settings) resolve() (Settings, error) {
	for key := range s {
		if _, ok := lookupSetting(key); !ok {
			return s, unknownSetting(key)
		}
	}
	resolved := make(Settings)
	for _, setting := range variableSettings() {
		if len(s[setting.Key]) == 0 {
			continue
		}
		if other := s.conflictingKey(setting); other != "" {
			return s, fmt.Errorf("%s and %s cannot both be chosen: leave one out", setting.Key, other)
		}
		for _, text := range s[setting.Key] {
			value, err := setting.Parse(text)
			if err != nil {
				return s, err
			}
			resolved[setting.Key] = append(resolved[setting.Key], value)
		}
	}
	return resolved.nilIfEmpty(), nil
}

// Set gives a setting one value. It returns an error if there is no such setting, or no
// such value of it.
func (c *Config) Set(key, value string) error {
	one, err := Settings{key: {value}}.resolve()
	if err == nil {
		c.Settings = c.Settings.merge(one)
	}
	return err
}

// unknownSetting returns the error for a key that no setting has.
func unknownSetting(key string) error {
	var keys []string
	for _, s := range variableSettings() {
		keys = append(keys, s.Key)
	}
	return fmt.Errorf("unknown setting %q: there is %s", key, strings.Join(keys, ", "))
}
