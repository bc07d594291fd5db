package study

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sml/models"
)

// parseMethod reads a label such as "sml beta=0.25 dropout=0.05 by sgd momentum=0.5": a
// method, its hyperparameters, and settings that hold for it alone.
func parseMethod(label string) (m models.Method, chosen models.Hyperparameters, own Config, err error) {
	text, optimizer, by := strings.Cut(strings.Join(strings.Fields(label), " "), By)
	words := strings.Fields(text)
	if len(words) == 0 {
		return m, nil, own, errors.New("a method has no name")
	}
	if m, err = models.Lookup(words[0]); err != nil {
		return m, nil, own, err
	}
	if by {
		own.Optimizer = List[string]{optimizer}
	}
	var hyperparameters []string
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if declares(m, key) || !slices.Contains(SettingKeys(), key) {
			hyperparameters = append(hyperparameters, word)
			continue
		}
		if to, _ := own.setting(key); !reflect.ValueOf(to).Elem().IsZero() {
			return m, nil, own, fmt.Errorf("method %q: %s stands there twice", label, key)
		}
		if err = own.Set(key, value); err != nil {
			return m, nil, own, fmt.Errorf("method %q: %w", label, err)
		}
	}
	if len(own.Width) > 0 && len(own.Hidden) > 0 {
		return m, nil, own, fmt.Errorf("method %q: width and hidden both say what the hidden layers are", label)
	}
	if chosen, err = models.ParseHyperparameters(hyperparameters); err == nil {
		_, err = m.Choose(chosen)
	}
	return m, chosen, own, err
}

// declares tells whether a method has a hyperparameter of that name, which then stands
// for itself and for no setting.
func declares(m models.Method, name string) bool {
	return slices.ContainsFunc(m.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == name })
}

// SettingKeys are the keys of the settings that a study may vary.
func SettingKeys() []string {
	var keys []string
	for f := range reflect.TypeFor[Config]().Fields() {
		if _, list := settingOf(new(Config), f.Name); list {
			keys = append(keys, f.Tag.Get("yaml"))
		}
	}
	return keys
}

// WholeSetting tells whether the values of a setting are whole numbers, and whether
// they are numbers at all.
func WholeSetting(key string) (whole, number bool) {
	to, _ := new(Config).setting(key)
	switch to.(type) {
	case *List[int]:
		return true, true
	case *List[float64]:
		return false, true
	}
	return false, false
}

// Set gives a setting one value, as labels have it.
func (c *Config) Set(key, text string) error {
	to, ok := c.setting(key)
	if !ok {
		return fmt.Errorf("unknown setting %q: there is %s", key, strings.Join(SettingKeys(), ", "))
	}
	var err error
	switch to := to.(type) {
	case *List[int]:
		*to = make(List[int], 1)
		if (*to)[0], err = strconv.Atoi(text); err != nil {
			return fmt.Errorf("%s=%s: want a whole number", key, text)
		}
	case *List[float64]:
		*to = make(List[float64], 1)
		if (*to)[0], err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("%s=%s: want a number", key, text)
		}
	case *List[string]:
		if key == "hidden" && text == noLayers {
			text = ""
		}
		*to = List[string]{text}
	}
	return nil
}

// noLayers is what labels call the hidden layers of a linear model.
const noLayers = "none"

func (c *Config) setting(key string) (any, bool) {
	for f := range reflect.TypeFor[Config]().Fields() {
		if f.Tag.Get("yaml") == key {
			return settingOf(c, f.Name)
		}
	}
	return nil, false
}

// settingOf is a pointer to a field, and whether it is that of a setting: those are
// values of type List.
func settingOf(c *Config, field string) (any, bool) {
	to := reflect.ValueOf(c).Elem().FieldByName(field).Addr().Interface()
	switch to.(type) {
	case *List[int], *List[float64], *List[string]:
		return to, true
	}
	return nil, false
}

// of is the configuration of one method, whose own settings go before those of all.
func (c Config) of(label string) Config {
	_, _, own, _ := parseMethod(label) // it is checked
	if len(own.Width) > 0 {
		c.Hidden = nil
	}
	if len(own.Hidden) > 0 {
		c.Width = nil
	}
	return c.Over(own)
}
