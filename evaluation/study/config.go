package study

import (
	"errors"
	"fmt"
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
	Epochs  int     `yaml:"epochs" json:"epochs,omitempty"`
	Batch   int     `yaml:"batch" json:"batch,omitempty"`
	Rate    float64 `yaml:"lr" json:"lr,omitempty"`
	Width   int     `yaml:"width" json:"width,omitempty"`     // of both hidden layers; default 50
	Samples int     `yaml:"samples" json:"samples,omitempty"` // sub-networks; default 200

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
	p, err := presets.Lookup(name)
	return p, err
}

// Over returns c with the fields that o sets in their place.
func (c Config) Over(o Config) Config {
	if o.Preset != "" {
		c.Preset = o.Preset
	}
	if o.Protocol != "" {
		c.Protocol = o.Protocol
	}
	if o.Predictions != "" {
		c.Predictions = o.Predictions
	}
	if o.Rate != 0 {
		c.Rate = o.Rate
	}
	replace(&c.Datasets, o.Datasets)
	replace(&c.Methods, o.Methods)
	replace(&c.Splits, o.Splits)
	replace(&c.Folds, o.Folds)
	replace(&c.Seeds, o.Seeds)
	for _, f := range []struct{ to, from *int }{{&c.Epochs, &o.Epochs}, {&c.Batch, &o.Batch}, {&c.Width, &o.Width}, {&c.Samples, &o.Samples}} {
		if *f.from != 0 {
			*f.to = *f.from
		}
	}
	return c
}

func replace[T any](to *[]T, from []T) {
	if len(from) > 0 {
		*to = slices.Clone(from)
	}
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
			if err := kind.CheckFold(f); err != nil && kind.Folds > 1 {
				return c, fmt.Errorf("%s split: %w", name, err)
			}
		}
	}
	for i, label := range c.Methods {
		if _, err := parseMethod(label); err != nil {
			return c, err
		}
		c.Methods[i] = strings.Join(strings.Fields(label), " ") // it is a name in files and tables
	}
	for _, n := range []struct {
		name  string
		value int
		in    models.Range
		unset bool // what is 0 comes from the data set
	}{
		{"epochs", c.Epochs, models.Limits.Epochs, true},
		{"batch", c.Batch, models.Limits.Batch, true},
		{"width", c.Width, models.Limits.Units, false},
		{"samples", c.Samples, models.Limits.Samples, false},
	} {
		if n.unset && n.value == 0 {
			continue
		}
		if err := n.in.Check(n.name, n.value); err != nil {
			return c, err
		}
	}
	if c.Rate != 0 {
		if err := trainers.CheckRate(c.Rate); err != nil {
			return c, err
		}
	}
	switch c.Predictions {
	case "", "csv", "parquet":
	default:
		return c, fmt.Errorf("unknown format %q of predictions: there is csv, parquet", c.Predictions)
	}
	for _, list := range []struct {
		name     string
		repeated bool
	}{
		{"datasets", twice(c.Datasets)}, {"methods", twice(c.Methods)}, {"splits", twice(c.Splits)}, {"folds", twice(c.Folds)}, {"seeds", twice(c.Seeds)},
	} {
		if list.repeated {
			return c, fmt.Errorf("%s lists something twice", list.name)
		}
	}
	return c, nil
}

func twice[T comparable](list []T) bool {
	seen := make(map[T]bool)
	for _, v := range list {
		if seen[v] {
			return true
		}
		seen[v] = true
	}
	return false
}

// methodChoice is a method with the hyperparameters of its label.
type methodChoice struct {
	method models.Method
	chosen map[string]float64
}

// parseMethod reads a label such as "sml beta=0.25".
func parseMethod(label string) (methodChoice, error) {
	words := strings.Fields(label)
	if len(words) == 0 {
		return methodChoice{}, errors.New("a method has no name")
	}
	m, err := models.Lookup(words[0])
	if err != nil {
		return methodChoice{}, err
	}
	chosen, err := models.ParseHyperparameters(words[1:])
	if err == nil {
		_, err = m.Choose(chosen)
	}
	return methodChoice{m, chosen}, err
}

// MethodTitle returns a label as tables and figures show it.
func MethodTitle(label string) string {
	c, err := parseMethod(label)
	if err != nil {
		return label
	}
	if _, settings, ok := strings.Cut(label, " "); ok {
		return c.method.Title + " " + settings
	}
	return c.method.Title
}
