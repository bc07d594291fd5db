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

// MarshalJSON returns a JSON object with the settings in the order of experiment.ListSettings. A setting with a single
// value has that value, and a setting with several values an array.
func (s Settings) MarshalJSON() ([]byte, error) {
	resolved, err := s.resolve()
	if err != nil {
		return nil, err
	}
	text := []byte("{")
	for _, setting := range variableSettings() {
		if len(resolved[setting.Key]) == 0 {
			continue
		}
		values, err := encodeValues(setting, resolved[setting.Key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", setting.Key, err)
		}
		if len(text) > len("{") {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", setting.Key, values)
	}
	return append(text, '}'), nil
}

// encodeValues returns the JSON form of a setting's values: one value, or an array.
func encodeValues(setting experiment.Setting, values []string) ([]byte, error) {
	var list strict.List[json.RawMessage]
	for _, value := range values {
		element, err := json.Marshal(typedValue(setting, value))
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads an object that MarshalJSON has written.
func (s *Settings) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	*s = make(Settings)
	for key, value := range fields {
		setting, isKnown := lookupSetting(key)
		if !isKnown {
			return unknownSetting(key)
		}
		decode := func(list any) error { return json.Unmarshal(value, list) }
		values, err := decodeValues(setting, decode)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		(*s)[key] = values
	}
	return nil
}

// typedValue returns a value with the type that it has in JSON: a whole number, a
// float64 or a string. The value is a result of Setting.Parse.
func typedValue(setting experiment.Setting, value string) any {
	switch setting.Kind {
	case experiment.WholeNumber:
		return json.Number(value)
	case experiment.Number:
		x, _ := strconv.ParseFloat(value, 64) // Parse has checked it
		return x
	}
	return value
}

// decodeValues returns the values of a setting in a YAML or JSON file, as texts. decode reads the file's value or list of
// values into its argument, a pointer to a strict.List.
func decodeValues(setting experiment.Setting, decode func(list any) error) ([]string, error) {
	switch setting.Kind {
	case experiment.WholeNumber:
		return decodeList[int](decode)
	case experiment.Number:
		return decodeList[float64](decode)
	}
	return decodeList[string](decode)
}

// decodeList decodes a list of values of type T and returns them as texts.
func decodeList[T any](decode func(list any) error) ([]string, error) {
	var list strict.List[T]
	if err := decode(&list); err != nil {
		return nil, err
	}
	var texts []string
	for _, v := range list {
		texts = append(texts, fmt.Sprint(v))
	}
	return texts, nil
}

// plainConfig has the fields of a Config without its methods, so that it is encoded and decoded by the rules for structs.
// Its settings are a field of their own.
type plainConfig Config

// MarshalJSON returns a JSON object with the settings as keys beside the other fields.
func (c Config) MarshalJSON() ([]byte, error) {
	var err error
	c.Settings, err = c.Settings.resolve()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(plainConfig(c))
	if err != nil || len(c.Settings) == 0 {
		return text, err
	}
	settings, err := json.Marshal(c.Settings)
	if err != nil {
		return nil, err
	}
	// Quotes within JSON strings are escaped, so this text occurs only as the field.
	field := append([]byte(`"settings":`), settings...)
	withoutBraces := settings[1 : len(settings)-1]
	return bytes.Replace(text, field, withoutBraces, 1), nil
}

// UnmarshalJSON reads an object that MarshalJSON has written. It moves the keys of settings into an object under the key
// "settings", as a plainConfig has them, and returns an error for an unknown key, as strict.Unmarshal does.
func (c *Config) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	if _, isPresent := fields["settings"]; isPresent { // a plainConfig has this key, a file must not
		return errors.New(`unknown key "settings"`)
	}
	settings := make(map[string]json.RawMessage)
	for key, value := range fields {
		_, isSetting := lookupSetting(key)
		if isSetting {
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
	plainText, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return strict.Unmarshal(plainText, (*plainConfig)(c))
}

// UnmarshalYAML reads a mapping whose keys checkDocument has checked.
func (c *Config) UnmarshalYAML(n *yaml.Node) error {
	plain := *n // the mapping without its settings
	plain.Content = nil
	settings := make(Settings)
	for i := 0; i+1 < len(n.Content); i += 2 { // keys and values alternate
		key, value := n.Content[i], n.Content[i+1]
		setting, isSetting := lookupSetting(key.Value)
		if !isSetting {
			plain.Content = append(plain.Content, key, value)
			continue
		}
		values, err := decodeValues(setting, value.Decode)
		if err != nil {
			return err
		}
		settings[key.Value] = values
	}
	if err := plain.Decode((*plainConfig)(c)); err != nil {
		return err
	}
	c.Settings = settings.nilIfEmpty()
	return nil
}
