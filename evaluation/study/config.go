package study

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sml/data"
	"sml/data/split"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/strict"
	"sml/models"
	"sml/trainers"
)

// Config describes a study. The study has a cell for each combination of the values in the lists. An empty field
// stands for the default that its comment names.
type Config struct {
	// Preset is the name of a registered preset; the other fields replace its values. The
	// default is "tables" if the study has Tables, and the first preset otherwise.
	Preset string `yaml:"preset" json:"preset"`

	Datasets strict.List[string] `yaml:"datasets" json:"datasets"`       // default none if the study has Tables, and the preset's otherwise
	Tables   strict.List[Table]  `yaml:"tables" json:"tables,omitempty"` // the user's own tables, in addition to Datasets

	// Methods are names of methods with hyperparameters, such as "sml beta=0.25", and with
	// settings that replace the study's, such as "sml beta=0.25 dropout=0.05". The default is
	// the preset's.
	Methods strict.List[string] `yaml:"methods" json:"methods"`

	Splits   strict.List[string] `yaml:"splits" json:"splits"`       // registered kinds of split; default the preset's
	Fold     strict.List[int]    `yaml:"fold" json:"fold,omitempty"` // indices of the held-out folds, from 0; default the recipe's for the data set
	Seeds    strict.List[uint64] `yaml:"seeds" json:"seeds"`         // default 1
	Protocol string              `yaml:"protocol" json:"protocol"`   // paper or sound; default the preset's

	// SplitSeed is the seed by which random splits divide the rows, the same for all Seeds. nil for a division by each
	// seed.
	SplitSeed *uint64 `yaml:"-" json:"split_seed,omitempty"`

	// Inner is the number of folds of a cross-validation within the training rows, or 0 for no
	// inner cross-validation. A cell trains on all inner folds but one and is scored on that
	// fold; it does not use the held-out rows.
	Inner int `yaml:"inner" json:"inner,omitempty"`

	// Settings replace the data set's recipe and the defaults. In YAML their keys stand beside the other keys. A setting
	// with several values becomes a part of the methods' labels, such as "sml dropout=0.05".
	Settings Settings `yaml:",inline" json:"settings,omitempty"`

	Measures    strict.List[string] `yaml:"measures" json:"measures,omitempty"`       // measures of the cells; default all registered measures without OnRequest
	Predictions string              `yaml:"predictions" json:"predictions,omitempty"` // format of the files with predictions of the test rows, csv or parquet; "" for no files
}

// WithOverrides returns a copy of c in which the non-empty fields of o replace the fields of c. The settings are merged
// one by one.
func (c Config) WithOverrides(o Config) Config {
	settings := c.Settings.merge(o.Settings)
	fields := reflect.ValueOf(&c).Elem() // changes c, which is a copy
	overrides := reflect.ValueOf(o)
	for i := range fields.NumField() {
		override := overrides.Field(i)
		isEmptyList := override.Kind() == reflect.Slice && override.Len() == 0
		if !override.IsZero() && !isEmptyList {
			fields.Field(i).Set(override)
		}
	}
	c.Settings = settings // the loop has replaced them as a whole
	return c
}

// Check returns an error if the configuration is not valid. It does not look up the data sets.
func (c Config) Check() error {
	_, err := c.resolve()
	return err
}

// resolve returns the configuration with the values of its preset filled in and every name and value in one form. It
// returns an error for the first invalid name or value.
func (c Config) resolve() (Config, error) {
	chosen := c.Settings // without the preset's settings
	c, err := c.addPreset()
	if err != nil {
		return c, err
	}
	if _, err := data.ParseProtocol(c.Protocol); err != nil {
		return c, err
	}
	c.Methods = slices.Clone(c.Methods)
	for i, label := range c.Methods {
		c.Methods[i] = strings.Join(strings.Fields(label), " ") // equal labels must be equal texts: they name files and rows of reports
	}
	err = cmp.Or(c.checkSplits(c.Splits), c.checkMethods(), c.checkOutputs(), c.checkTables())
	if err != nil {
		return c, err
	}
	c.Tables, err = nameTables(c.Tables, c.Datasets)
	if err != nil {
		return c, err
	}
	return c, cmp.Or(c.checkUnique(), c.checkRead(chosen))
}

// addPreset returns the configuration with the values of its preset for all empty fields, and with resolved
// settings. The user's tables replace the preset's data sets.
func (c Config) addPreset() (Config, error) {
	preset, err := c.preset()
	if err != nil {
		return c, err
	}
	if len(c.Tables) > 0 && len(c.Datasets) == 0 {
		preset.Config.Datasets = []string{} // not nil, so that the plan has an array
	}
	c.Preset = preset.Name
	c = preset.Config.WithOverrides(c)
	c.Settings, err = c.Settings.resolve()
	return c, err
}

// checkMethods returns an error if a label cannot be trained with the settings of the study on any table, or if some
// methods predict classes and others numbers.
func (c Config) checkMethods() error {
	if len(c.Methods) == 0 {
		return errors.New("the study has no method; name at least one")
	}
	labels := make([]parsedLabel, len(c.Methods))
	for i, text := range c.Methods {
		var err error
		labels[i], err = parseLabel(text)
		if err != nil {
			return err
		}
	}
	if err := c.checkSameKind(labels); err != nil {
		return err
	}
	// The settings of the study are tried with the first method alone: other methods would give the same errors.
	first := labels[0]
	first.hyperparameters = nil // they may belong to a network that the label, not the study, chooses
	if err := c.checkAxes(first, c.axes()); err != nil {
		return err
	}
	for i, label := range labels {
		if len(label.settings)+len(label.hyperparameters) == 0 {
			continue // the method has the settings of the study, which are checked
		}
		err := c.checkAxes(label, c.methodConfig(label).axes())
		if err != nil && len(label.settings) > 0 {
			return fmt.Errorf("method %q: %w", c.Methods[i], err)
		}
		if err != nil {
			return err // names the method and the hyperparameter
		}
	}
	return nil
}

// checkSameKind returns an error if some methods predict classes and others numbers: no measure scores both. labels are
// the parsed c.Methods.
func (c Config) checkSameKind(labels []parsedLabel) error {
	var forClasses, forNumbers string // first method of each kind
	for i, label := range labels {
		if label.method.PredictsClasses() {
			forClasses = cmp.Or(forClasses, c.Methods[i])
		} else {
			forNumbers = cmp.Or(forNumbers, c.Methods[i])
		}
	}
	if forClasses != "" && forNumbers != "" {
		return fmt.Errorf("method %s predicts classes and method %s numbers, and no measure scores both; plan a study for each", forClasses, forNumbers)
	}
	return nil
}

// checkOutputs returns an error for unknown measures, measures in the target's own unit, a number of inner folds out of
// range, or an unknown format of predictions. The name "all" stands for all measures that a study can use.
func (c Config) checkOutputs() error {
	measures, err := measure.Select(c.Measures)
	if err != nil {
		return err
	}
	wantsAll := slices.Equal(c.Measures, []string{"all"})
	for _, m := range measures {
		if m.Unit == measure.OwnUnit && !wantsAll {
			return fmt.Errorf("measure %s is for the target's own unit, and a study compares standardised scores", m.Name)
		}
	}
	if c.Inner != 0 {
		if err := models.Limits.InnerFolds.Check("inner", c.Inner); err != nil {
			return err
		}
	}
	if !slices.Contains([]string{"", csvSuffix, parquetSuffix}, c.Predictions) {
		return fmt.Errorf("unknown format %q of predictions; want csv or parquet", c.Predictions)
	}
	return nil
}

// checkSplits returns an error if a kind of split is unknown or lacks a fold of the configuration. Kinds
// with a single fold are exempt: the configuration's folds are for the others.
func (c Config) checkSplits(names []string) error {
	for _, name := range names {
		kind, err := split.Lookup(name)
		if err != nil {
			return err
		}
		if kind.Folds == 1 {
			continue
		}
		for _, fold := range c.Fold {
			if err := kind.CheckFold(fold); err != nil {
				return fmt.Errorf("%s split: %w", name, err)
			}
		}
	}
	return nil
}

// checkTables returns an error if the options or the splits of a table are not valid.
func (c Config) checkTables() error {
	for _, t := range c.Tables {
		_, err := t.source()
		if err == nil {
			err = cmp.Or(c.checkSplits(t.Splits), checkNoRepeats("splits", t.Splits), t.CheckSplits(c.tableSplits(t)))
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", cmp.Or(t.Name, t.Data), err)
		}
	}
	return nil
}

// checkUnique returns an error if a list of the configuration has an element twice.
func (c Config) checkUnique() error {
	names := slices.Clone(c.Datasets)
	for _, t := range c.Tables {
		names = append(names, t.Name)
	}
	err := cmp.Or(
		checkNoRepeats("datasets", c.Datasets),
		checkNoRepeats("tables", names),
		checkNoRepeats("methods", c.Methods),
		checkNoRepeats("splits", c.Splits),
		checkNoRepeats("fold", c.Fold),
		checkNoRepeats("seeds", c.Seeds),
		checkNoRepeats("measures", c.Measures),
	)
	if err != nil {
		return err
	}
	for _, a := range c.axes() {
		err := checkNoRepeats(a.Key, a.values)
		if err != nil && a.Kind == experiment.Widths {
			return fmt.Errorf("%w; if these are the layers of one network, write them as one text, such as %q", err, a.Default)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkNoRepeats returns an error that names the list if it has an element twice.
func checkNoRepeats[T cmp.Ordered](name string, list []T) error {
	sorted := slices.Sorted(slices.Values(list))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return fmt.Errorf("%s lists %v twice", name, sorted[i])
		}
	}
	return nil
}

// DefaultRule describes the optimizer of studies that choose none, as trainers.Settings.Rule
// does.
var DefaultRule = trainers.Settings{Optimizer: "adam", Adam: trainers.DefaultAdam}.DescribeOptimizer()
