package study

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sml/data"
	"sml/data/split"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/registry"
	"sml/models"
	"sml/trainers"
)

// Config describes a study. The study has a cell for each combination of the values in the
// lists. An empty field has the default that its comment gives.
type Config struct {
	// Preset is the name of a registered preset; the other fields replace its values. The
	// default is "tables" if the study has Tables, and the first preset otherwise.
	Preset string `yaml:"preset" json:"preset"`

	Datasets []string `yaml:"datasets" json:"datasets"`       // default none if the study has Tables, and the preset's otherwise
	Tables   []Table  `yaml:"tables" json:"tables,omitempty"` // the user's own tables, in addition to Datasets

	// Methods are names of methods with hyperparameters, such as "sml beta=0.25", and with
	// settings that replace the study's, such as "sml beta=0.25 dropout=0.05". The default is
	// the preset's.
	Methods []string `yaml:"methods" json:"methods"`

	Splits   []string `yaml:"splits" json:"splits"`     // registered kinds of split; default the preset's
	Fold     []int    `yaml:"fold" json:"fold"`         // indices of the held-out folds, from 0; default the recipe's for the data set
	Seeds    []uint64 `yaml:"seeds" json:"seeds"`       // default 1
	Protocol string   `yaml:"protocol" json:"protocol"` // paper or sound; default the preset's

	// Inner is the number of folds of a cross-validation within the training rows: a cell
	// trains on all inner folds but one and is judged on the remaining one. The held-out rows
	// are not used. With 0 there is no inner cross-validation.
	Inner int `yaml:"inner" json:"inner,omitempty"`

	// Settings replace the data set's recipe and the defaults. A setting with several values
	// becomes a part of the methods' labels, such as "sml dropout=0.05".
	Settings Settings `yaml:"-" json:"settings,omitempty"`

	Measures    []string `yaml:"measures" json:"measures,omitempty"`       // measures of the cells; default all registered measures without OnRequest
	Predictions string   `yaml:"predictions" json:"predictions,omitempty"` // file format of the kept predictions of test rows, csv or parquet; "" to keep no predictions
}

// Preset is a named configuration.
type Preset struct {
	Name    string
	Summary string
	Config  Config

	// PredictBy returns Prediction.By for the cells with this spec and protocol. If it is nil,
	// every method predicts in its own way.
	PredictBy func(models.Spec, data.Protocol) string
}

var presets = registry.New("preset", func(p Preset) string { return p.Name }, "import sml/evaluation/report/paper")

// RegisterPreset adds a preset. It panics if the name is taken.
func RegisterPreset(p Preset) { presets.Add(p) }

// tablesPreset is the preset of studies of the user's own tables, unless they name another.
var tablesPreset = Preset{Name: "tables", Summary: "your own tables, under the sound protocol", Config: Config{
	Methods: []string{"mc", "sml", "sml-de", "pu", "pu-de", "de"}, Splits: []string{"random"}, Seeds: []uint64{1},
	Protocol: string(data.Sound), Settings: Settings{"width": {"50"}, "samples": {strconv.Itoa(evaluation.DefaultSamples)}},
}}

// Presets returns the registered presets and, last, tablesPreset. The first preset is the
// default.
func Presets() []Preset { return append(presets.All(), tablesPreset) }

// presetNames returns the names of Presets.
func presetNames() []string { return append(presets.Names(), tablesPreset.Name) }

// preset returns the preset of a configuration.
func (c Config) preset() (Preset, error) {
	all := Presets()
	switch {
	case c.Preset == "" && len(c.Tables) > 0:
		return tablesPreset, nil
	case c.Preset == "":
		return all[0], nil
	}
	if i := slices.IndexFunc(all, func(p Preset) bool { return p.Name == c.Preset }); i >= 0 {
		return all[i], nil
	}
	return Preset{}, fmt.Errorf("unknown preset %q: there is %s", c.Preset, strings.Join(presetNames(), ", "))
}

// WithOverrides returns a copy of c with its values replaced by the non-empty fields and the settings of o.
func (c Config) WithOverrides(o Config) Config {
	settings := c.Settings.with(o.Settings)
	to, from := reflect.ValueOf(&c).Elem(), reflect.ValueOf(o)
	for i := range to.NumField() {
		if f := from.Field(i); !f.IsZero() && !(f.Kind() == reflect.Slice && f.Len() == 0) {
			to.Field(i).Set(f)
		}
	}
	c.Settings = settings
	return c
}

// Check returns an error if the configuration is not valid. It does not look up the data sets.
func (c Config) Check() error {
	_, err := c.resolve()
	return err
}

// resolve fills in the preset and checks every name and value.
func (c Config) resolve() (Config, error) {
	base, err := c.preset()
	if err != nil {
		return c, err
	}
	if c.Settings, err = c.Settings.resolve(); err != nil {
		return c, err
	}
	if len(c.Tables) > 0 && len(c.Datasets) == 0 {
		base.Config.Datasets = []string{}
	}
	c.Preset = base.Name
	c = base.Config.WithOverrides(c)
	if c.Settings, err = c.Settings.resolve(); err != nil {
		return c, fmt.Errorf("preset %s: %w", base.Name, err)
	}
	if _, err := data.ParseProtocol(c.Protocol); err != nil {
		return c, err
	}
	if err := c.checkSplits(c.Splits); err != nil {
		return c, err
	}
	if c, err = c.resolveMethods(); err != nil {
		return c, err
	}
	if err := c.checkOutputs(); err != nil {
		return c, err
	}
	if c, err = c.resolveTables(); err != nil {
		return c, err
	}
	return c, c.checkUnique()
}

// resolveMethods checks the methods' labels, and each value of each setting, and writes the
// labels in one way.
func (c Config) resolveMethods() (Config, error) {
	if len(c.Methods) == 0 {
		return c, errors.New("no method is named")
	}
	c.Methods = slices.Clone(c.Methods)
	for i, label := range c.Methods {
		if _, err := parseLabel(label); err != nil {
			return c, err
		}
		c.Methods[i] = strings.Join(strings.Fields(label), " ") // it is a name in files and tables
	}
	if err := c.checkKindsOfTargets(); err != nil {
		return c, err
	}
	first, _ := parseLabel(c.Methods[0])
	first.hyperparameters = nil // of a network that the label may choose
	if err := c.checkAxes(first); err != nil {
		return c, err
	}
	for _, label := range c.Methods {
		parsed, _ := parseLabel(label)
		if len(parsed.settings)+len(parsed.hyperparameters) == 0 {
			continue
		}
		err := c.methodConfig(label).checkAxes(parsed)
		switch {
		case err != nil && len(parsed.settings) > 0:
			return c, fmt.Errorf("method %q: %w", label, err)
		case err != nil:
			return c, err
		}
	}
	return c, nil
}

// checkKindsOfTargets returns an error if some methods are for classes and others for numbers: no
// score judges both.
func (c Config) checkKindsOfTargets() error {
	var forClasses, forNumbers string // first label of each kind
	for _, label := range c.Methods {
		parsed, err := parseLabel(label)
		if err != nil {
			return err
		}
		if parsed.method.ForClasses() {
			forClasses = cmp.Or(forClasses, label)
		} else {
			forNumbers = cmp.Or(forNumbers, label)
		}
	}
	if forClasses != "" && forNumbers != "" {
		return fmt.Errorf("method %s is for classes and %s for numbers, and no score judges both; make a study of each", forClasses, forNumbers)
	}
	return nil
}

// checkOutputs returns an error for unknown measures, a wrong number of inner folds, or an
// unknown format of predictions.
func (c Config) checkOutputs() error {
	if _, err := measure.Named(c.Measures); err != nil {
		return err
	}
	if c.Inner != 0 {
		if err := models.Limits.InnerFolds.Check("inner", c.Inner); err != nil {
			return err
		}
	}
	if !slices.Contains([]string{"", "csv", "parquet"}, c.Predictions) {
		return fmt.Errorf("unknown format %q of predictions: there is csv, parquet", c.Predictions)
	}
	return nil
}

// checkSplits returns what is wrong with kinds of split, and with the folds of them.
func (c Config) checkSplits(names []string) error {
	for _, name := range names {
		kind, err := split.Lookup(name)
		if err != nil {
			return err
		}
		for _, f := range c.Fold {
			if err := kind.CheckFold(f); err != nil && kind.Folds != 1 {
				return fmt.Errorf("%s split: %w", name, err)
			}
		}
	}
	return nil
}

// resolveTables checks the tables and names them.
func (c Config) resolveTables() (Config, error) {
	for _, t := range c.Tables {
		if _, err := t.source(); err != nil {
			return c, fmt.Errorf("table %s: %w", cmp.Or(t.Name, t.Data), err)
		}
		if err := cmp.Or(c.checkSplits(t.Splits), checkNoRepeats("splits", t.Splits), t.CheckSplits(c.tableSplits(t))); err != nil {
			return c, fmt.Errorf("table %s: %w", cmp.Or(t.Name, t.Data), err)
		}
	}
	var err error
	c.Tables, err = nameTables(c.Tables, c.Datasets)
	return c, err
}

// checkUnique refuses lists that have something twice.
func (c Config) checkUnique() error {
	names := slices.Clone(c.Datasets)
	for _, t := range c.Tables {
		if t.Name != "" {
			names = append(names, t.Name)
		}
	}
	err := cmp.Or(checkNoRepeats("datasets", c.Datasets), checkNoRepeats("tables", names), checkNoRepeats("methods", c.Methods), checkNoRepeats("splits", c.Splits),
		checkNoRepeats("fold", c.Fold), checkNoRepeats("seeds", c.Seeds), checkNoRepeats("measures", c.Measures))
	for _, a := range c.axes() {
		twice := checkNoRepeats(a.Key, a.values)
		if twice != nil && a.Kind == experiment.Widths {
			twice = fmt.Errorf("%w: the layers of one network are one text, such as %q", twice, a.Default)
		}
		err = cmp.Or(err, twice)
	}
	return err
}

func checkNoRepeats[T cmp.Ordered](name string, list []T) error {
	if len(slices.Compact(slices.Sorted(slices.Values(list)))) < len(list) {
		return fmt.Errorf("%s lists something twice", name)
	}
	return nil
}

// DefaultRule describes the optimizer of studies that choose none, as trainers.Settings.Rule
// does.
var DefaultRule = trainers.Settings{Optimizer: "adam", Adam: trainers.DefaultAdam}.DescribeOptimizer()
