package study

import (
	"fmt"
	"slices"

	"sml/evaluation/experiment"
)

// checkRead returns an error if a setting would do nothing: a setting of a label that its method does not read, or a
// chosen setting of the study that no method reads or, if it has several values, that some method does not read, since
// it would be trained several times alike. Settings with the preset's values are not chosen. c must be resolved but for
// its tables.
func (c Config) checkRead(chosen Settings) error {
	preset, err := c.preset()
	if err != nil {
		return err
	}
	byPreset, err := preset.Config.Settings.resolve()
	if err != nil {
		return err
	}
	for _, s := range variableSettings() {
		isChosen := len(chosen[s.Key]) > 0 && !slices.Equal(c.Settings[s.Key], byPreset[s.Key])
		var ignored []string // why methods do not read the setting
		for _, label := range c.Methods {
			parsed, err := parseLabel(label)
			if err != nil {
				return err
			}
			reason, err := c.whyIgnored(s, parsed)
			if err != nil {
				return err
			}
			if reason != "" && len(parsed.settings[s.Key]) > 0 {
				return fmt.Errorf("method %q: %s does nothing: %s", label, s.Key, reason)
			}
			if reason != "" {
				ignored = append(ignored, reason)
			}
		}
		switch {
		case !isChosen || len(ignored) == 0:
		case len(ignored) == len(c.Methods):
			return fmt.Errorf("%s does nothing: %s", s.Key, ignored[0])
		case len(c.Settings[s.Key]) > 1:
			return fmt.Errorf("%s: several values would train a method several times alike: %s; choose the values behind the methods that read them, as in \"NAME %[1]s=VALUE\"", s.Key, ignored[0])
		}
	}
	return nil
}

// whyIgnored returns why the trainings of a label do not read a setting, "" if they do: as they are with the first value
// of every other setting.
func (c Config) whyIgnored(s experiment.Setting, parsed parsedLabel) (string, error) {
	settings := experiment.DefaultSettings()
	settings.Spec.Method = parsed.method.Name
	axes := c.methodConfig(parsed).axes()
	if err := setValues(&settings, axes, firstValues(axes)); err != nil {
		return "", err
	}
	preset, err := c.preset()
	if err == nil && preset.PredictBy != nil {
		settings.Prediction.Mode = experiment.SubNetworkMode // of some methods and protocols
	}
	return s.WhyIgnored(settings), err
}
