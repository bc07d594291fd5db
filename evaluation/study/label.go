package study

import (
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/experiment"
	"sml/models"
)

// OptimizerSeparator stands between a method and its optimizer in labels.
const OptimizerSeparator = " by "

// optimizerKey is the key of the setting that labels write after OptimizerSeparator.
const optimizerKey = "optimizer"

// parsedLabel is the content of a method's label.
type parsedLabel struct {
	method          models.Method
	hyperparameters models.Hyperparameters
	settings        Settings // settings for this method alone, with one value each
}

// parseLabel returns the content of a label such as "sml beta=0.25 dropout=0.05 by sgd momentum=0.5": a method,
// hyperparameters of the method or its network, and settings for this method alone. It does not check the names of
// the hyperparameters, since they depend on the network: setMethod does.
func parseLabel(label string) (parsedLabel, error) {
	parsed := parsedLabel{settings: make(Settings)}
	text := strings.Join(strings.Fields(label), " ")
	text, optimizer, hasOptimizer := strings.Cut(text, OptimizerSeparator)
	words := strings.Fields(text)
	if len(words) == 0 {
		return parsed, fmt.Errorf("method %q: the name of the method is missing", label)
	}
	var err error
	parsed.method, err = models.Lookup(words[0])
	if err != nil {
		return parsed, err
	}
	if hasOptimizer {
		parsed.settings[optimizerKey] = []string{optimizer}
	}
	hyperparameters, err := parsed.addSettings(words[1:])
	if err != nil {
		return parsed, fmt.Errorf("method %q: %w", label, err)
	}
	parsed.settings, err = parsed.settings.resolve()
	if err != nil {
		return parsed, fmt.Errorf("method %q: %w", label, err)
	}
	parsed.hyperparameters, err = models.ParseHyperparameters(hyperparameters)
	return parsed, err
}

// addSettings adds the settings among words such as "dropout=0.05" to p.settings. It returns the other words, which are
// hyperparameters such as "beta=0.25", and an error if a setting is repeated.
func (p parsedLabel) addSettings(words []string) (hyperparameters []string, err error) {
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		_, isSetting := lookupSetting(key)
		if !isSetting || hasHyperparameter(p.method, key) {
			hyperparameters = append(hyperparameters, word)
			continue
		}
		if len(p.settings[key]) > 0 {
			return nil, fmt.Errorf("%s is repeated; give it one value", key)
		}
		p.settings[key] = []string{value}
	}
	return hyperparameters, nil
}

// hasHyperparameter reports whether a method has a hyperparameter with this name. In labels of the method the name then
// means the hyperparameter, even if a setting has the same name.
func hasHyperparameter(m models.Method, name string) bool {
	return slices.ContainsFunc(m.Hyperparameters, func(h models.Hyperparameter) bool { return h.Name == name })
}

// labelSuffix returns what a label adds for a value of a setting, such as " dropout=0.05" or " by sgd". It returns "" for
// the default optimizer.
func labelSuffix(setting experiment.Setting, value string) string {
	if setting.Key != optimizerKey {
		return " " + setting.Key + "=" + formatLabelValue(setting, value)
	}
	if value == setting.Default {
		return ""
	}
	return OptimizerSeparator + value
}

// formatLabelValue returns the text of a value in a label, "none" for an empty list of hidden layers. The value is a
// result of Setting.Parse.
func formatLabelValue(setting experiment.Setting, value string) string {
	if setting.Kind == experiment.Widths && value == "" {
		return "none"
	}
	return value
}

// methodConfig returns the configuration with the settings of a label in place of the study's.
func (c Config) methodConfig(label string) Config {
	parsed, _ := parseLabel(label) // resolve has checked it
	c.Settings = c.Settings.merge(parsed.settings)
	return c
}

// MethodTitle returns a label as reports show it: with the title of the method in place of its name. It returns the label
// itself if the method is unknown.
func MethodTitle(label string) string {
	name, settings, _ := strings.Cut(label, " ")
	m, err := models.Lookup(name)
	if err != nil {
		return label
	}
	return strings.TrimSpace(m.Title + " " + settings)
}
