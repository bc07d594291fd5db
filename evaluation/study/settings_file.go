package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"sml/evaluation/experiment"
	"sml/internal/strict"
)

// MarshalJSON writes an object in the order of the list of settings. A single value stands
// for itself, several are an array.
func (s Settings) MarshalJSON() ([]byte, error) {
	resolved, err := s.resolve()
	if err != nil {
		return nil, err
	}
	text := []byte("{")
	for _, setting := range variableSettings() {
		var list strict.List[json.RawMessage]
		for _, value := range resolved[setting.Key] {
			element, err := json.Marshal(typedValue(setting, value))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", setting.Key, err)
			}
			list = append(list, element)
		}
		if len(list) == 0 {
			continue
		}
		values, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", setting.Key, values)
	}
	return append(text, '}'), nil
}

// UnmarshalJSON reads an object that MarshalJSON has written.
func (s *Settings) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	*s = make(Settings)
	for key, value := range fields {
		setting, ok := lookupSetting(key)
		if !ok {
			return unknownSetting(key)
		}
		values, err := decodeValues(setting, func(to any) error { return json.Unmarshal(value, to) })
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		(*s)[key] = values
	}
	return nil
}

// typedValue returns a value that Parse has returned as JSON has it: a whole number, a
// float64 or a text.
func typedValue(setting experiment.Setting, value string) any {
	switch setting.Kind {
	case experiment.WholeNumber:
		return json.Number(value)
	case experiment.Number:
		x, _ := strconv.ParseFloat(value, 64) // Parse has returned it
		return x
	}
	return value
}

// decodeValues returns the values of a setting in YAML or JSON, which decode reads into a
// List of their type.
func decodeValues(setting experiment.Setting, decode func(any) error) ([]string, error) {
	switch setting.Kind {
	case experiment.WholeNumber:
		return decodeList[int](decode)
	case experiment.Number:
		return decodeList[float64](decode)
	}
	return decodeList[string](decode)
}

// decodeList decodes a List and returns its values as texts.
func decodeList[T any](decode func(any) error) ([]string, error) {
	var list strict.List[T]
	if err := decode(&list); err != nil {
		return nil, err
	}
	var values []string
	for _, v := range list {
		values = append(values, fmt.Sprint(v))
	}
	return values, nil
}

// MarshalJSON writes the settings as fields among the others.
func (c Config) MarshalJSON() ([]byte, error) {
	type plain Config // without methods
	var err error
	if c.Settings, err = c.Settings.resolve(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(plain(c))
	if err != nil || len(c.Settings) == 0 {
		return text, err
	}
	settings, err := json.Marshal(c.Settings)
	if err != nil {
		return nil, err
	}
	// A text in JSON has no quotes but escaped ones, so that this is the field and no value.
	field := append([]byte(`"settings":`), settings...)
	return bytes.Replace(text, field, settings[1:len(settings)-1], 1), nil
}

// UnmarshalJSON reads an object that MarshalJSON has written. It returns an error for
// another key, as strict.Unmarshal does.
func (c *Config) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	if _, ok := fields["settings"]; ok {
		return errors.New(`unknown key "settings"`)
	}
	settings := make(map[string]json.RawMessage)
	for key, value := range fields {
		if _, ok := lookupSetting(key); ok {
			settings[key] = value
			delete(fields, key)
		}
	}
	if len(settings) > 0 {
		object, err := json.Marshal(settings)
		if err != nil {
			return err
		}
		fields["settings"] = object
	}
	others, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	type plain Config // without methods
	return strict.Unmarshal(others, (*plain)(c))
}

// UnmarshalYAML reads a mapping whose keys checkMapping has checked.
func (c *Config) UnmarshalYAML(n *yaml.Node) error {
	type plain Config // without methods
	others := *n
	others.Content = nil
	settings := make(Settings)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		setting, ok := lookupSetting(key.Value)
		if !ok {
			others.Content = append(others.Content, key, value)
			continue
		}
		values, err := decodeValues(setting, value.Decode)
		if err != nil {
			return err
		}
		settings[key.Value] = values
	}
	if err := others.Decode((*plain)(c)); err != nil {
		return err
	}
	c.Settings = settings.nilIfEmpty()
	return nil
}
