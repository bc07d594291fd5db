package study

import (
	"fmt"
	"slices"

	"sml/evaluation/experiment"
)

// checkRead returns an error if a setting would do nothing:
//   - a setting of a label that the label's method does not read,
//   - a chosen setting of the study that no method reads,
//   - several chosen values of a setting that some method does not read: it would be trained several times alike.
//
// A setting with the preset's value is not chosen. c must be resolved but for its tables.
func (c Config) checkRead(chosen Settings) error {
	preset, _ := c.preset() // addPreset has found it
	presetSettings, err := preset.Config.Settings.resolve()
	if err != nil {
		return err
	}
	for _, s := range variableSettings() {
		reasons, err := c.reasonsIgnored(s)
		if err != nil {
			return err
		}
		values := c.Settings[s.Key]
		isChosen := len(chosen[s.Key]) > 0 && !slices.Equal(values, presetSettings[s.Key])
		if !isChosen || len(reasons) == 0 {
			continue
		}
		if len(reasons) == len(c.Methods) {
			return fmt.Errorf("%s does nothing: %s", s.Key, reasons[0])
		}
		if len(values) > 1 {
			return fmt.Errorf("%s: several values would train a method several times alike: %s; choose the values behind the methods that read them, as in \"NAME %[1]s=VALUE\"", s.Key, reasons[0])
		}
	}
	return nil
}

// reasonsIgnored returns, for each method that does not read a setting, the reason. It returns an error if the label of
// such a method chooses the setting.
func (c Config) reasonsIgnored(s experiment.Setting) ([]string, error) {
	var reasons []string
	for _, label := range c.Methods {
		parsed, _ := parseLabel(label) // checkMethods has read it
		reason := c.whyIgnored(s, parsed)
		if reason == "" {
			continue
		}
		if len(parsed.settings[s.Key]) > 0 {
			return nil, fmt.Errorf("method %q: %s does nothing: %s", label, s.Key, reason)
		}
		reasons = append(reasons, reason)
	}
	return reasons, nil
}

// whyIgnored returns why the trainings of a label do not read a setting, or "" if they read it. It asks for one training:
// with the first value of every other setting.
func (c Config) whyIgnored(s experiment.Setting, label parsedLabel) string {
	preset, _ := c.preset() // addPreset has found it
	settings := experiment.DefaultSettings()
	settings.Spec.Method = label.method.Name
	axes := c.methodConfig(label).axes()
	_ = setValues(&settings, axes, firstValues(axes)) // checkMethods has tried the values
	if preset.PredictBy != nil {
		settings.Prediction.Mode = experiment.SubNetworkMode // the preset uses it for some methods, and it reads the most settings
	}
	return s.WhyIgnored(settings)
}
