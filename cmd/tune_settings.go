package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/evaluation/study/tune"
	"sml/internal/strict"
	"sml/models"
)

// sharedFlags returns the flags of train that hold for all trials.
func sharedFlags() []cli.Flag {
	var flags []cli.Flag
	for _, g := range sharedOptionGroups() {
		flags = append(flags, g.flags...)
	}
	return flags
}

// sharedOptionGroups returns the options of train that hold for all trials, by purpose.
func sharedOptionGroups() []optionGroup {
	shared := []string{"method", "set", "seed", "protocol"}
	for _, s := range experiment.ListSettings() {
		if s.Vary { // a trial is a cell of a study
			shared = append(shared, s.Key)
		}
	}
	for _, f := range slices.Concat(dataFlags(), optimizerFlags(), splitFlags()) {
		shared = append(shared, f.Names()[0])
	}
	var groups []optionGroup
	for _, g := range trainOptionGroups() {
		if flags := pickFlags(g.flags, shared...); len(flags) > 0 {
			groups = append(groups, optionGroup{g.title, flags})
		}
		if f, ok := lookupFlag(g.flags, "split").(*cli.StringFlag); ok {
			f.DefaultText = tunedSplit
		}
	}
	return groups
}

// tunedSplit is the default split of a tuning. It holds out rows that no trial sees, for an
// honest score.
const tunedSplit = "random"

// chosenTuning returns the tuning that the flags describe.
func chosenTuning(c *cli.Context) (tune.Tuning, error) {
	t := tune.Tuning{
		Method:   c.String("method"),
		Trials:   c.Int("trials"),
		Strategy: c.String("strategy"),
		Measure:  c.String("measure"),
		Folds:    c.Int("folds"),
	}
	name := c.String("data")
	switch {
	case name == "":
		return t, usageErrorf("--data is missing: name a data set or a file")
	case len(c.StringSlice("space")) == 0:
		return t, usageErrorf("--space is missing: name settings to try, such as \"dropout=0.05..0.3,lr=1e-4..1e-2:log\"")
	}
	if err := checkRange(c, "jobs", study.Jobs); err != nil {
		return t, err
	}
	if _, err := tune.LookupStrategy(t.Strategy); err != nil {
		return t, usageErrorf("--strategy: %w", err)
	}
	if _, err := measure.Lookup(t.Measure); err != nil {
		return t, usageErrorf("--measure: %w", err)
	}
	var err error
	t.Space, err = tune.ParseSpace(c.StringSlice("space")...)
	if err != nil {
		return t, usageErrorf("--space: %w", err)
	}
	if _, err := chosenSource(c, name); err != nil {
		return t, err
	}
	if err := cmp.Or(checkSpace(c, t.Space), addSet(c, &t)); err != nil {
		return t, err
	}
	t.Study, err = sharedStudy(c, name)
	return t, err
}

// checkSpace returns an error if a flag sets a setting that the space varies.
func checkSpace(c *cli.Context, space tune.Space) error {
	for _, d := range space {
		for _, f := range sharedFlags() {
			name := f.Names()[0]
			varies := sameField(name, d.Key) || d.Key == optimizerKey && isOptimizerFlag(name)
			if c.IsSet(name) && varies {
				return usageErrorf("--%s: the space varies %s; say it there, or here", name, d.Key)
			}
		}
	}
	return nil
}

// isOptimizerFlag reports whether a flag sets a hyperparameter of an optimizer, such as adam-beta1.
func isOptimizerFlag(name string) bool {
	return slices.ContainsFunc(optimizerFlags(), func(f cli.Flag) bool { return f.Names()[0] == name })
}

// addSet adds the hyperparameters of --set to the space, as settings of one value.
func addSet(c *cli.Context, t *tune.Tuning) error {
	if _, err := models.ParseHyperparameters(c.StringSlice("set")); err != nil {
		return usageErrorf("--set: %w", err)
	}
	for _, text := range c.StringSlice("set") {
		key, value, _ := strings.Cut(text, "=")
		if slices.ContainsFunc(t.Space, func(d tune.Dimension) bool { return d.Key == key }) {
			return usageErrorf("--set %s: the space varies %s; say it there, or here", text, key)
		}
		t.Space = append(t.Space, tune.Dimension{Key: key, Choices: []string{value}})
	}
	return nil
}

// sharedStudy returns the study with the settings that hold for all trials.
func sharedStudy(c *cli.Context, name string) (study.Config, error) {
	var config study.Config
	protocol, err := chosenProtocol(c, experiment.RecipeFor(name, 0).Protocol)
	if err != nil {
		return config, err
	}
	if !c.IsSet("split") && readOptions(c).DefaultSplit() == "" {
		if err := c.Set("split", tunedSplit); err != nil {
			return config, err
		}
	}
	s := experiment.DefaultSettings()
	if err := cmp.Or(chooseSplit(c, &s), chooseSettings(c, &s, allParts...)); err != nil {
		return config, err
	}
	if s.Training.Split == "" {
		return config, usageErrorf("--split %s: a tuning needs held-out rows for an honest score; train the best settings on all rows afterwards, with the printed command", noSplit)
	}
	if err := chooseOptimizer(c, &s.Training); err != nil {
		return config, err
	}
	config = study.Config{
		Tables:   []study.Table{{Data: name, ReadOptions: readOptions(c)}},
		Splits:   []string{s.Training.Split},
		Fold:     []int{s.Training.Fold},
		Seeds:    []uint64{c.Uint64("seed")},
		Protocol: string(protocol),
	}
	config.Tables[0].Splits = strict.List[string]{s.Training.Split}
	if err := setVariedSettings(c, &config); err != nil {
		return config, err
	}
	optimizer := optimizerPhrase(c, s.Training.Optimizer)
	if c.IsSet(optimizerKey) || optimizer != c.String(optimizerKey) {
		err = config.Set(optimizerKey, optimizer)
	}
	return config, err
}

// setVariedSettings copies the flags of settings that a study may vary, except the optimizer.
func setVariedSettings(c *cli.Context, config *study.Config) error {
	for _, setting := range experiment.ListSettings() {
		key := setting.Key
		if !setting.Train || !setting.Vary || key == optimizerKey || !c.IsSet(key) {
			continue
		}
		if err := config.Set(key, fmt.Sprint(c.Value(key))); err != nil {
			return usageError{err}
		}
	}
	return nil
}

// optimizerPhrase returns --optimizer with the hyperparameters of the optimizer's own flags, such as
// "sgd momentum=0.5". name is the optimizer's name.
func optimizerPhrase(c *cli.Context, name string) string {
	phrase := c.String(optimizerKey)
	for _, f := range optimizerFlags() {
		flag := f.Names()[0]
		key, isOwn := strings.CutPrefix(flag, name+"-")
		if isOwn && c.IsSet(flag) {
			phrase += fmt.Sprintf(" %s=%v", key, c.Value(flag))
		}
	}
	return phrase
}

// checkTuningFolder returns an error if the directory out has files, but no tuning.
func checkTuningFolder(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	}
	if len(entries) > 0 && !fileExists(filepath.Join(out, tune.File)) {
		for _, e := range entries {
			if e.Name() != lockSuffix {
				return fmt.Errorf("%s exists and is no tuning: choose another --out", out)
			}
		}
	}
	return nil
}
