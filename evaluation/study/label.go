package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/experiment"
	"sml/models"
)

// By is between a method and its optimizer in labels.
const OptimizerSeparator = " by "

// optimizerKey is the key of the setting that labels write behind By.
const optimizerKey = "optimizer"

// parsedLabel is the content of a method's label.
type parsedLabel struct {
	method          models.Method
	hyperparameters models.Hyperparameters
	settings        Settings // for this method alone, one value each
}

// parseLabel reads a label such as "sml beta=0.25 dropout=0.05 by sgd momentum=0.5": a
// method, hyperparameters of it or its network, and settings that hold for it alone. Which
// hyperparameters there are depends on the network: complete checks them.
func parseLabel(label string) (parsedLabel, error) {
	parsed := parsedLabel{settings: make(Settings)}
	text, optimizer, by := strings.Cut(strings.Join(strings.Fields(label), " "), OptimizerSeparator)
	words := strings.Fields(text)
	if len(words) == 0 {
		return parsed, errors.New("a method has no name")
	}
	var err error
	if parsed.method, err = models.Lookup(words[0]); err != nil {
		return parsed, err
	}
	if by {
		parsed.settings[optimizerKey] = []string{optimizer}
	}
	var hyperparameters []string
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if _, ok := lookupSetting(key); !ok || hasHyperparameter(parsed.method, key) {
			hyperparameters = append(hyperparameters, word)
			continue
		}
		if len(parsed.settings[key]) > 0 {
			return parsed, fmt.Errorf("method %q: %s stands there twice", label, key)
		}
		parsed.settings[key] = []string{value}
	}
	if parsed.settings, err = parsed.settings.resolve(); err != nil {
		return parsed, fmt.Errorf("method %q: %w", label, err)
	}
	parsed.hyperparameters, err = models.ParseHyperparameters(hyperparameters)
	return parsed, err
}

// declares tells whether a method has a hyperparameter of that name, which then stands
// for itself and for no setting.
func hasHyperparameter(m models.Method, name string) bool {
	return slices.ContainsFunc(m.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == name })
}

// labelSuffix returns the part of a label that tells a value of a setting from others. The
// default optimizer has none.
func labelSuffix(setting experiment.Setting, value string) string {
	switch {
	case setting.Key != optimizerKey:
		return " " + setting.Key + "=" + formatLabelValue(setting, value)
	case value == setting.Default:
		return ""
	}
	return OptimizerSeparator + value
}

// formatLabelValue returns the text of a value in a label. value is a result of Setting.Parse. For an empty
// list of hidden layers formatLabelValue returns "none".
func formatLabelValue(setting experiment.Setting, value string) string {
	if setting.Kind == experiment.Widths && value == "" {
		return "none"
	}
	return value
}

// methodConfig returns the configuration of one method, whose own settings replace the study's.
func (c Config) methodConfig(label string) Config {
	parsed, _ := parseLabel(label) // it is checked
	c.Settings = c.Settings.merge(parsed.settings)
	return c
}

// MethodTitle returns a label as tables and figures show it.
func MethodTitle(label string) string {
	name, settings, _ := strings.Cut(label, " ")
	m, err := models.Lookup(name)
	if err != nil {
		return label
	}
	return strings.TrimSpace(m.Title + " " + settings)
}
