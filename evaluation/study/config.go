package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation"
	recipes "sml/evaluation/paper"
	"sml/models"
	"sml/trainers"
)

// Config says which cells a study has. The zero value of a field is the
// default that its comment gives.
type Config struct {
	Preset   string   `yaml:"preset" json:"preset"`     // one of Presets, whose values the other fields narrow or replace; default "paper"
	Datasets []string `yaml:"datasets" json:"datasets"` // default the preset's
	Methods  []string `yaml:"methods" json:"methods"`   // names, with hyperparameters as in "sml beta=0.25"; default the preset's
	Splits   []string `yaml:"splits" json:"splits"`     // kinds of package data; default the preset's
	Folds    []int    `yaml:"folds" json:"folds"`       // default the data set's
	Seeds    []uint64 `yaml:"seeds" json:"seeds"`       // default 1
	Protocol string   `yaml:"mode" json:"mode"`         // paper or sound; default paper

	// Settings in place of the paper's.
	Epochs  int     `yaml:"epochs" json:"epochs,omitempty"`
	Batch   int     `yaml:"batch" json:"batch,omitempty"`
	Rate    float64 `yaml:"lr" json:"lr,omitempty"`
	Width   int     `yaml:"width" json:"width,omitempty"`     // of both hidden layers; default 50
	Samples int     `yaml:"samples" json:"samples,omitempty"` // sub-networks; default 200

	Predictions string `yaml:"predictions" json:"predictions,omitempty"` // csv or parquet: keep those of all test rows
}

// Presets lists the names that Config.Preset can have.
func Presets() []string { return []string{"paper", "beta", "quick"} }

// preset returns what a preset stands for.
func preset(name string) (Config, error) {
	splits := []string{"random", "pca", "label"}
	paper := Config{
		Preset: "paper", Datasets: recipes.Datasets(), Splits: splits, Seeds: []uint64{1}, Protocol: string(data.Paper),
		Methods: []string{"mc", "mc-ll", "sml", "pu", "pu-de", "de"}, Width: 50, Samples: evaluation.DefaultSamples,
	}
	switch name {
	case "", "paper":
		return paper, nil
	case "beta":
		beta := paper
		beta.Preset = "beta"
		beta.Methods = []string{"sml beta=0.1", "sml beta=0.25", "sml beta=0.5", "sml beta=0.75", "sml beta=0.9"}
		return beta, nil
	case "quick":
		quick := paper
		quick.Preset = "quick"
		quick.Datasets = []string{"toy", "friedman"}
		quick.Splits = []string{"random"}
		quick.Folds = []int{0, 1}
		quick.Epochs = 50
		return quick, nil
	}
	return Config{}, fmt.Errorf("unknown preset %q: there is %s", name, strings.Join(Presets(), ", "))
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
	c = base.Over(c)
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
