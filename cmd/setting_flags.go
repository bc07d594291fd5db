package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/models"
)

// settingFlags returns the flags of train for the settings of a part.
func settingFlags(part string) []cli.Flag {
	var flags []cli.Flag
	for _, s := range experiment.ListSettings() {
		if !s.StudyOnly && s.Part == part {
			flags = append(flags, settingFlag(s))
		}
	}
	return flags
}

// settingFlag returns the flag for one value of a setting.
func settingFlag(s experiment.Setting) cli.Flag {
	note := settingNote(s)
	switch s.Kind {
	case experiment.WholeNumber:
		value, _ := strconv.Atoi(s.Default) // 0 if there is no default
		return &cli.IntFlag{Name: s.Key, Value: value, Usage: settingUsage(s), DefaultText: note}
	case experiment.Number:
		value, _ := strconv.ParseFloat(s.Default, 64) // 0 if there is no default
		return &cli.Float64Flag{Name: s.Key, Value: value, Usage: settingUsage(s), DefaultText: note}
	}
	return &cli.StringFlag{Name: s.Key, Value: s.Default, Usage: settingUsage(s), DefaultText: note}
}

// settingUsage returns the help text of a setting, with its choices.
func settingUsage(s experiment.Setting) string {
	if s.Choices == nil {
		return s.Help
	}
	return s.Help + ": " + strings.Join(s.Choices(), ", ")
}

// variedSettingFlags returns the flags for several values of each setting of a part that a study
// may vary. Commas separate values, and the flag is repeated for values that may have commas.
func variedSettingFlags(part string) []cli.Flag {
	var flags []cli.Flag
	for _, s := range experiment.ListSettings() {
		if s.TrainOnly || s.Part != part {
			continue
		}
		usage := settingUsage(s)
		if hasCommas(s) {
			usage += "; repeat the flag for several"
		}
		flags = append(flags, &cli.StringSliceFlag{Name: s.Key, Usage: usage, DefaultText: cmp.Or(settingNote(s), s.Default)})
	}
	return flags
}

// settingNote returns the text that help shows in place of a setting's default, "" for the default itself.
func settingNote(s experiment.Setting) string {
	if s.DefaultNote == nil {
		return ""
	}
	return s.DefaultNote()
}

// hasCommas reports whether values of a setting may have commas, which then do not separate
// values.
func hasCommas(s experiment.Setting) bool {
	return s.Kind == experiment.Phrase || s.Kind == experiment.Widths
}

// variedSettings returns the values of the flags of variedSettingFlags on the command line, by the
// setting's key. It returns a usage error for a flag without values and for a value that is not valid.
func variedSettings(c *cli.Context) (study.Settings, error) {
	settings := make(study.Settings)
	for _, s := range experiment.ListSettings() {
		if s.TrainOnly {
			continue
		}
		texts := c.StringSlice(s.Key)
		if !hasCommas(s) {
			texts = splitList(strings.Join(texts, ","))
		}
		if c.IsSet(s.Key) && len(texts) == 0 {
			return nil, usageErrorf("--%s names nothing: leave it out for its default", s.Key)
		}
		for _, text := range texts {
			value, err := s.Parse(text)
			if err != nil {
				return nil, usageErrorf("--%w", err) // it begins with the key
			}
			settings[s.Key] = append(settings[s.Key], value)
		}
	}
	return settings, nil
}

// allParts are the parts of a training, by which experiment.ListSettings groups its settings.
var allParts = []string{"network", "training", "calibration", "prediction"}

// chooseSettings copies the flags of the command line for settings of the given parts into settings. It
// returns a usage error for a value that is not valid, and for two flags that set the same field.
func chooseSettings(c *cli.Context, settings *experiment.Settings, parts ...string) error {
	for _, s := range experiment.ListSettings() {
		if s.StudyOnly || !c.IsSet(s.Key) || !slices.Contains(parts, s.Part) {
			continue
		}
		for _, other := range experiment.ListSettings() {
			if c.IsSet(other.Key) && s.SetsSameField(other) {
				return usageErrorf("--%s and --%s cannot both be chosen: leave one out", s.Key, other.Key)
			}
		}
		value, err := s.Parse(fmt.Sprint(c.Value(s.Key)))
		if err != nil {
			return usageErrorf("--%w", err) // it begins with the key
		}
		if err := settings.Choose(s, value); err != nil {
			return usageErrorf("--%s: %w", s.Key, err)
		}
	}
	return nil
}

// nameFlags returns err, an error of settings that cannot be used together or alone, as a usage error
// that begins with the flags at fault. It finds them by trial: a flag is at fault if err disappears or
// changes once the flag is left out. checkWithout returns the error of the command line without the flag
// of setting s, nil if there is none.
func nameFlags(c *cli.Context, err error, checkWithout func(s experiment.Setting) error) error {
	var flags []string
	for _, s := range experiment.ListSettings() {
		if !c.IsSet(s.Key) {
			continue
		}
		errWithout := checkWithout(s)
		if errWithout == nil || errWithout.Error() != err.Error() {
			flags = append(flags, "--"+s.Key)
		}
	}
	if len(flags) == 0 {
		return usageError{err}
	}
	return usageErrorf("%s: %w", strings.Join(flags, ", "), err)
}

// sameField reports whether two keys are equal, or their settings set the same field of a training, as
// width and hidden do. A key without a setting equals only itself.
func sameField(a, b string) bool {
	if a == b {
		return true
	}
	settingA, errA := experiment.LookupSetting(a)
	settingB, errB := experiment.LookupSetting(b)
	return errA == nil && errB == nil && settingA.SetsSameField(settingB)
}

// checkNetwork returns an error if there is no such network for the method, or it has no
// choice of activations.
func checkNetwork(method string, a models.Architecture) error {
	n, err := models.Spec{Method: method, Architecture: a}.Network()
	if err != nil {
		return usageError{err}
	}
	if len(n.Activations) == 0 && a.Activation != "" {
		return usageErrorf("--activation %s: network %s has one of its own", a.Activation, n.Name)
	}
	return nil
}

// checkCalibrationFlags returns a usage error for a calibration flag of a training whose value is not valid.
func checkCalibrationFlags(c *cli.Context, s experiment.Settings) error {
	fraction := s.Training.Calibrate           // of the training rows, kept for the calibration; 0 for no calibration
	isFraction := fraction > 0 && fraction < 1 // false for NaN
	if c.IsSet("calibrate") && !isFraction {
		return usageErrorf("--calibrate %v: want a fraction of more than 0 and less than 1", fraction)
	}
	options := s.Calibration
	options.Kind = cmp.Or(options.Kind, calibrate.Names()[0]) // any kind: the method's default is chosen later
	return resolveCalibration(c, "calibrate-", &options)
}

// resolveCalibration checks calibration options and replaces them by a copy with the defaults. The names of their
// flags begin with prefix, such as "calibrate-" in train and "" in calibrate.
func resolveCalibration(c *cli.Context, prefix string, o *calibrate.Options) error {
	if err := checkCoverage(c, prefix+"coverage"); err != nil {
		return err
	}
	if o.Kind != "" {
		if _, err := calibrate.Lookup(o.Kind); err != nil {
			return usageErrorf("--%skind: %w", prefix, err)
		}
	}
	resolved, err := o.Resolve()
	if err != nil {
		return usageErrorf("--%smean-groups: %w", prefix, err)
	}
	*o = resolved
	return nil
}
