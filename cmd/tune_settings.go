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
	"sml/evaluation/study"
	"sml/evaluation/study/tune"
	"sml/internal/strict"
	"sml/models"
	"sml/trainers"
)

// sharedFlags returns the flags of train that hold for all trials.
func sharedFlags() []cli.Flag { return flagsOf(sharedOptionGroups()) }

// sharedOptionGroups returns the options of train that hold for all trials, by purpose.
func sharedOptionGroups() []optionGroup {
	shared := []string{"method", "set", "seed", "protocol"}
	for _, s := range experiment.ListSettings() {
		if !s.TrainOnly { // a trial is a cell of a study
			shared = append(shared, s.Key)
		}
	}
	for _, f := range slices.Concat(dataFlags(), splitFlags()) {
		shared = append(shared, f.Names()[0])
	}
	var groups []optionGroup
	for _, g := range trainOptionGroups() {
		flags := pickFlags(g.flags, shared...)
		if len(flags) > 0 {
			groups = append(groups, optionGroup{title: g.title, flags: flags})
		}
	}
	return groups
}

// chosenTuning returns the tuning that the flags describe.
func chosenTuning(c *cli.Context) (tune.Tuning, error) {
	const anyRows = 0 // method and protocol of a recipe do not depend on the number of rows
	recipe := experiment.RecipeFor(c.String("data"), anyRows)
	t := tune.Tuning{
		Method:   cmp.Or(c.String("method"), recipe.Method),
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
		return t, usageErrorf("--space is missing: name settings to try, such as \"hidden=64|256,lr=1e-4..1e-2:log\"")
	}
	if err := checkNotZero(c, "folds"); err != nil {
		return t, err
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
	t.Study, err = sharedStudy(c, name, recipe)
	return t, err
}

// checkSpace returns an error if a flag sets a setting that the space varies.
func checkSpace(c *cli.Context, space tune.Space) error {
	for _, d := range space {
		for _, f := range sharedFlags() {
			name := f.Names()[0]
			if c.IsSet(name) && sameField(name, d.Key) {
				return usageErrorf("--%s: the space varies %s; say it there, or here", name, d.Key)
			}
		}
	}
	return nil
}

// addSet adds the hyperparameters of --set to the space, as settings of one value.
func addSet(c *cli.Context, t *tune.Tuning) error {
	if _, err := models.ParseHyperparameters(c.StringSlice("set")); err != nil {
		return usageErrorf("--set: %w", err)
	}
	for _, text := range c.StringSlice("set") {
		key, value, _ := strings.Cut(text, "=") // ParseHyperparameters has checked the form
		if slices.ContainsFunc(t.Space, func(d tune.Dimension) bool { return d.Key == key }) {
			return usageErrorf("--set %s: the space varies %s; say it there, or here", text, key)
		}
		t.Space = append(t.Space, tune.Dimension{Key: key, Choices: []string{value}})
	}
	return nil
}

// sharedStudy returns the study that all trials share: a single cell of the table with a name, with the
// split, the seed and the settings that the flags choose, and the protocol of the table's recipe unless a
// flag chooses one. A trial adds its own settings.
func sharedStudy(c *cli.Context, name string, recipe experiment.Recipe) (study.Config, error) {
	training, err := sharedTraining(c)
	if err != nil {
		return study.Config{}, err
	}
	options := readOptions(c)
	options.TestFraction = training.TestFraction // chosen, or that of a training without --split
	table := study.Table{
		Data:        name,
		ReadOptions: options,
		Splits:      strict.List[string]{training.Split},
	}
	config := study.Config{
		Tables:   []study.Table{table},
		Splits:   []string{training.Split},
		Fold:     []int{training.Fold},
		Seeds:    []uint64{c.Uint64("seed")},
		Protocol: string(chosenProtocol(c, recipe.Protocol)),
	}
	return config, setVariedSettings(c, &config)
}

// sharedTraining returns the split and the other settings of the training that the flags choose for all
// trials. It returns a usage error if flags are not valid, and for --split none.
func sharedTraining(c *cli.Context) (trainers.Settings, error) {
	s := experiment.DefaultSettings()
	if err := cmp.Or(chooseSplit(c, &s), chooseSettings(c, &s, allParts...)); err != nil {
		return s.Training, err
	}
	if s.Training.Split == "" {
		return s.Training, usageErrorf("--split %s: a tuning needs held-out rows for an honest score; train the best settings on all rows afterwards, with the printed command", noSplit)
	}
	return s.Training, nil
}

// setVariedSettings copies the flags of settings that a study may vary.
func setVariedSettings(c *cli.Context, config *study.Config) error {
	for _, setting := range experiment.ListSettings() {
		key := setting.Key
		if setting.StudyOnly || setting.TrainOnly || !c.IsSet(key) {
			continue
		}
		if err := config.Set(key, fmt.Sprint(c.Value(key))); err != nil {
			return usageError{err}
		}
	}
	return nil
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
	if fileExists(filepath.Join(out, tune.File)) {
		return nil
	}
	// An interrupted command may have left its lock in a new directory.
	hasFiles := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != lockSuffix })
	if hasFiles {
		return fmt.Errorf("%s exists and is no tuning: choose another --out", out)
	}
	return nil
}
