package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
	"sml/evaluation/study/tune"
)

// runTrain runs the train command with the given arguments, in this process, without printing its
// result. Messages and progress go to standard error unless --quiet is set.
func runTrain(c *cli.Context, args []string) error {
	app := newApp([]*cli.Command{trainCommand()})
	app.Reader = c.App.Reader
	app.Writer = io.Discard
	app.ErrWriter = c.App.ErrWriter
	if c.Bool("quiet") {
		args = append(args, "--quiet")
	}
	ordered, err := reorderArguments(app, append([]string{"sml", "train"}, args...))
	if err != nil {
		return err
	}
	return app.RunContext(c.Context, ordered)
}

// trainArgs returns the arguments of a train command, without --out, that trains a trial's settings: the
// shared flags of the tuning's command line, and a flag for each setting.
func trainArgs(c *cli.Context, settings []tune.Setting) []string {
	var args []string
	for _, f := range sharedFlags() {
		name := f.Names()[0]
		isReplaced := slices.ContainsFunc(settings, func(s tune.Setting) bool {
			return !s.Hyperparameter && sameField(s.Key, name)
		})
		// The hyperparameters of --set are among the settings: see addSet.
		if c.IsSet(name) && !isReplaced && name != "set" {
			args = append(args, sharedFlagArgs(c, f)...)
		}
	}
	for _, s := range settings {
		args = append(args, settingArgs(s)...)
	}
	return args
}

// sharedFlagArgs returns the arguments that set a flag to its values on the command line.
func sharedFlagArgs(c *cli.Context, f cli.Flag) []string {
	name := f.Names()[0]
	switch f.(type) {
	case *cli.StringSliceFlag:
		var args []string
		for _, value := range c.StringSlice(name) {
			args = append(args, flagArgs(name, value)...)
		}
		return args
	case *cli.BoolFlag:
		return []string{fmt.Sprintf("--%s=%v", name, c.Bool(name))}
	}
	return flagArgs(name, fmt.Sprint(c.Value(name)))
}

// settingArgs returns the arguments that choose a setting of a trial. An optimizer with hyperparameters,
// such as "sgd momentum=0.5", becomes "--optimizer sgd --sgd-momentum=0.5".
func settingArgs(s tune.Setting) []string {
	if s.Hyperparameter {
		return flagArgs("set", s.Key+"="+s.Value)
	}
	if s.Key != optimizerKey {
		return flagArgs(trainSetting(s.Key, s.Value))
	}
	optimizer, hyperparameters, _ := strings.Cut(s.Value, " ")
	args := flagArgs(optimizerKey, optimizer)
	for _, assignment := range strings.Fields(hyperparameters) {
		args = append(args, "--"+optimizer+"-"+assignment)
	}
	return args
}

// flagArgs returns a flag and its value as arguments. They are one argument if the value begins with a
// dash and could be taken for a flag.
func flagArgs(name, value string) []string {
	if strings.HasPrefix(value, "-") {
		return []string{"--" + name + "=" + value}
	}
	return []string{"--" + name, value}
}

// trainSetting returns a setting of a study as a setting that has a flag of train. Studies have settings
// such as width, which stand for others: width=20 becomes hidden=20,20. Widths get the form that the flag
// has. A setting that cannot be read stays as it is, so that train reports what is wrong.
func trainSetting(key, value string) (trainKey, trainValue string) {
	s, err := experiment.LookupSetting(key)
	hasFlag := !s.StudyOnly // whether train has a flag for the setting itself
	if err != nil || hasFlag && s.Kind != experiment.Widths {
		return key, value
	}
	parsed, err := s.Parse(value)
	if err != nil || hasFlag {
		return key, parsed
	}
	// Set the setting, and read off the value of the setting that it stands for.
	replaced, err := experiment.LookupSetting(s.Replaces)
	if err != nil {
		return key, value
	}
	var settings experiment.Settings
	if err := s.Set(&settings, parsed); err != nil {
		return key, value
	}
	return replaced.Key, replaced.Get(settings)
}
