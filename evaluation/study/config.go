package study

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sml/data"
	"sml/data/registry"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// Config says which cells a study has. The zero value of a field is the
// default that its comment gives.
type Config struct {
	Preset   string   `yaml:"preset" json:"preset"`     // one of Presets, whose values the other fields narrow or replace; default the first
	Datasets []string `yaml:"datasets" json:"datasets"` // default the preset's
	Methods  []string `yaml:"methods" json:"methods"`   // names, with hyperparameters as in "sml beta=0.25"; default the preset's
	Splits   []string `yaml:"splits" json:"splits"`     // kinds of package data; default the preset's
	Folds    []int    `yaml:"folds" json:"folds"`       // default the data set's
	Seeds    []uint64 `yaml:"seeds" json:"seeds"`       // default 1
	Protocol string   `yaml:"protocol" json:"protocol"` // paper or sound; default the preset's

	// Settings in place of the data set's recipe.
	Epochs    int     `yaml:"epochs" json:"epochs,omitempty"`
	Batch     int     `yaml:"batch" json:"batch,omitempty"`
	Rate      float64 `yaml:"lr" json:"lr,omitempty"`
	Optimizer string  `yaml:"optimizer" json:"optimizer,omitempty"` // a name, with hyperparameters as in "sgd momentum=0.5"; default adam
	Width     int     `yaml:"width" json:"width,omitempty"`         // of both hidden layers; default 50
	Samples   int     `yaml:"samples" json:"samples,omitempty"`     // sub-networks; default 200

	Predictions string `yaml:"predictions" json:"predictions,omitempty"` // csv or parquet: keep those of all test rows
}

// Preset is a configuration that has a name.
type Preset struct {
	Name    string
	Summary string
	Config  Config

	// Prediction, if set, says how the cells of a spec are predicted; default as the
	// method predicts.
	Prediction func(models.Spec, data.Protocol) experiment.Prediction
}

var presets = registry.New("preset", func(p Preset) string { return p.Name }, "import sml/evaluation/paper")

// RegisterPreset adds a preset. It panics if there is one of its name, which is a
// mistake in the program.
func RegisterPreset(p Preset) { presets.Add(p) }

// Presets lists the registered presets; the first is the default.
func Presets() []Preset { return presets.All() }

// PresetNames returns the name of every preset.
func PresetNames() []string { return presets.Names() }

// preset returns the preset of that name, the default if there is none.
func preset(name string) (Preset, error) {
	if all := presets.All(); name == "" && len(all) > 0 {
		return all[0], nil
	}
	return presets.Lookup(name)
}

// Over returns c with the fields that o sets in their place.
func (c Config) Over(o Config) Config {
	to, from := reflect.ValueOf(&c).Elem(), reflect.ValueOf(o)
	for i := range to.NumField() {
		if f := from.Field(i); !f.IsZero() && !(f.Kind() == reflect.Slice && f.Len() == 0) {
			to.Field(i).Set(f)
		}
	}
	return c
}

// Check returns what is wrong with a config, but for the data sets it names.
func (c Config) Check() error {
	_, err := c.resolve()
	return err
}

// resolve fills in the preset and checks every name.
func (c Config) resolve() (Config, error) {
	base, err := preset(c.Preset)
	if err != nil {
		return c, err
	}
	c.Preset = base.Name
	c = base.Config.Over(c)
	if _, err := data.ParseProtocol(c.Protocol); err != nil {
		return c, err
	}
	for _, name := range c.Splits {
		kind, err := data.LookupSplit(name)
		if err != nil {
			return c, err
		}
		for _, f := range c.Folds {
			if err := kind.CheckFold(f); err != nil && kind.Folds != 1 {
				return c, fmt.Errorf("%s split: %w", name, err)
			}
		}
	}
	c.Methods = slices.Clone(c.Methods)
	for i, label := range c.Methods {
		if _, _, err := parseMethod(label); err != nil {
			return c, err
		}
		c.Methods[i] = strings.Join(strings.Fields(label), " ") // it is a name in files and tables
	}
	for _, n := range []struct {
		name  string
		value int
		in    models.Range
	}{
		{"epochs", cmp.Or(c.Epochs, 1), models.Limits.Epochs}, // what is 0 comes from the data set
		{"batch", cmp.Or(c.Batch, 1), models.Limits.Batch},
		{"width", c.Width, models.Limits.Units},
		{"samples", c.Samples, models.Limits.Samples},
	} {
		if err := n.in.Check(n.name, n.value); err != nil {
			return c, err
		}
	}
	c.Optimizer = strings.Join(strings.Fields(c.Optimizer), " ")
	training, err := c.training()
	if err == nil {
		err = training.CheckOptimizer()
	}
	if err != nil {
		return c, err
	}
	if !slices.Contains([]string{"", "csv", "parquet"}, c.Predictions) {
		return c, fmt.Errorf("unknown format %q of predictions: there is csv, parquet", c.Predictions)
	}
	return c, c.checkTwice()
}

// training returns what the config says of the optimizer and its learning rate.
func (c Config) training() (trainers.Settings, error) {
	name, settings, _ := strings.Cut(c.Optimizer, " ")
	chosen, err := models.ParseHyperparameters(strings.Fields(settings))
	return trainers.Settings{LearningRate: c.Rate, Optimizer: name, OptimizerHyperparameters: chosen}, err
}

// checkTwice refuses lists that have something twice.
func (c Config) checkTwice() error {
	for _, list := range []struct {
		name     string
		repeated bool
	}{
		{"datasets", twice(c.Datasets)}, {"methods", twice(c.Methods)}, {"splits", twice(c.Splits)}, {"folds", twice(c.Folds)}, {"seeds", twice(c.Seeds)},
	} {
		if list.repeated {
			return fmt.Errorf("%s lists something twice", list.name)
		}
	}
	return nil
}

func twice[T cmp.Ordered](list []T) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(list)))) < len(list)
}

// parseMethod reads a label such as "sml beta=0.25".
func parseMethod(label string) (models.Method, models.Hyperparameters, error) {
	words := strings.Fields(label)
	if len(words) == 0 {
		return models.Method{}, nil, errors.New("a method has no name")
	}
	m, err := models.Lookup(words[0])
	if err != nil {
		return m, nil, err
	}
	chosen, err := models.ParseHyperparameters(words[1:])
	if err == nil {
		_, err = m.Choose(chosen)
	}
	return m, chosen, err
}

// DefaultRule is the optimizer of studies that choose none, as trainers.Settings.Rule
// says it.
var DefaultRule = trainers.Settings{Optimizer: "adam", Adam: trainers.DefaultAdam}.Rule()

// By is between a method and its optimizer, in labels of several studies.
const By = " by "

// MethodTitle returns a label as tables and figures show it.
func MethodTitle(label string) string {
	method, rule, told := strings.Cut(label, By)
	m, _, err := parseMethod(method)
	if err != nil {
		return label
	}
	_, settings, _ := strings.Cut(method, " ")
	title := strings.TrimSpace(m.Title + " " + settings)
	if told {
		title += By + rule
	}
	return title
}
