package cmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
	"sml/evaluation/study/tune"
)

// runTrain runs the train command without printing its result.
func runTrain(c *cli.Context, args []string) error {
	app := newApp([]*cli.Command{trainCommand()})
	app.Reader, app.Writer, app.ErrWriter = c.App.Reader, io.Discard, c.App.ErrWriter
	if c.Bool("quiet") {
		args = append(args, "--quiet")
	}
	permuted, err := reorderArguments(app, append([]string{"sml", "train"}, args...))
	if err == nil {
		err = app.RunContext(c.Context, permuted)
	}
	return err
}

// trainArgs returns the arguments of the train command that trains settings.
func trainArgs(c *cli.Context, settings []tune.Setting) []string {
	var args []string
	add := func(name, value string) {
		if strings.HasPrefix(value, "-") {
			args = append(args, "--"+name+"="+value)
		} else {
			args = append(args, "--"+name, value)
		}
	}
	varied := func(name string) bool {
		return slices.ContainsFunc(settings, func(s tune.Setting) bool { return !s.Hyperparameter && sameField(s.Key, name) })
	}
	for _, f := range sharedFlags() {
		name := f.Names()[0]
		if !c.IsSet(name) || name == "set" || varied(name) {
			continue
		}
		switch f.(type) {
		case *cli.StringSliceFlag:
			for _, v := range c.StringSlice(name) {
				add(name, v)
			}
		case *cli.BoolFlag:
			args = append(args, fmt.Sprintf("--%s=%v", name, c.Bool(name)))
		default:
			add(name, fmt.Sprint(c.Value(name)))
		}
	}
	for _, s := range settings {
		switch {
		case s.Hyperparameter:
			add("set", s.Key+"="+s.Value)
		case s.Key == optimizerKey:
			name, chosen, _ := strings.Cut(s.Value, " ")
			add(optimizerKey, name)
			for _, word := range strings.Fields(chosen) {
				args = append(args, "--"+name+"-"+word)
			}
		default:
			add(trainSetting(s.Key, s.Value))
		}
	}
	return args
}

// trainSetting translates a setting into one with a flag of train: width=20 becomes
// hidden=20,20. An empty list of widths becomes "".
func trainSetting(key, value string) (trainKey, trainValue string) {
	s, err := experiment.LookupSetting(key)
	if err != nil || s.Train && s.Kind != experiment.Widths {
		return key, value
	}
	parsed, err := s.Parse(value)
	if err != nil || s.Train {
		return key, parsed
	}
	var to experiment.Settings
	other, err := experiment.LookupSetting(s.Replaces)
	if err = cmp.Or(err, s.Set(&to, parsed)); err != nil {
		return key, value
	}
	return other.Key, other.Get(to)
}
