package study

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/registry"
	"sml/models"
	"sml/trainers"
)

// Config says which cells a study has. The zero value of a field is the
// default that its comment gives. A study has all combinations of what its lists name.
type Config struct {
	Preset   string   `yaml:"preset" json:"preset"`           // one of Presets, whose values the other fields narrow or replace; default the first, with Tables "tables"
	Datasets []string `yaml:"datasets" json:"datasets"`       // default the preset's, with Tables none
	Tables   []Table  `yaml:"tables" json:"tables,omitempty"` // of the user's own, beside Datasets
	Methods  []string `yaml:"methods" json:"methods"`         // names, with hyperparameters as in "sml beta=0.25", and settings in place of all others as in "sml beta=0.25 dropout=0.05"; default the preset's
	Splits   []string `yaml:"splits" json:"splits"`           // kinds of package data; default the preset's
	Fold     []int    `yaml:"fold" json:"fold"`               // numbers of the folds to hold out, from 0; default the recipe's for the data set
	Seeds    []uint64 `yaml:"seeds" json:"seeds"`             // default 1
	Protocol string   `yaml:"protocol" json:"protocol"`       // paper or sound; default the preset's
	Inner    int      `yaml:"inner" json:"inner,omitempty"`   // folds that the training rows are cut into: cells train on all but one and are judged on that, and no row that a split holds out is looked at; default none

	// Settings in place of the data set's recipe and of the defaults. Where one has
	// several values they are a part of the methods' labels, as in "sml dropout=0.05".
	Epochs     List[int]     `yaml:"epochs" json:"epochs,omitempty"`
	Batch      List[int]     `yaml:"batch" json:"batch,omitempty"`
	Rate       List[float64] `yaml:"lr" json:"lr,omitempty"`
	Schedule   List[string]  `yaml:"schedule" json:"schedule,omitempty"`
	Optimizer  List[string]  `yaml:"optimizer" json:"optimizer,omitempty"` // a name, with hyperparameters as in "sgd momentum=0.5"; default adam
	Clip       List[float64] `yaml:"clip" json:"clip,omitempty"`
	Decay      List[float64] `yaml:"weight-decay" json:"weight-decay,omitempty"`
	Validation List[float64] `yaml:"val" json:"val,omitempty"`
	Patience   List[int]     `yaml:"patience" json:"patience,omitempty"`
	Members    List[int]     `yaml:"members" json:"members,omitempty"`
	Network    List[string]  `yaml:"network" json:"network,omitempty"`
	Width      List[int]     `yaml:"width" json:"width,omitempty"`   // of both hidden layers; default 50
	Hidden     List[string]  `yaml:"hidden" json:"hidden,omitempty"` // widths of the hidden layers as in "100,50", in place of Width; "": a linear model
	Activation List[string]  `yaml:"activation" json:"activation,omitempty"`
	Dropout    List[float64] `yaml:"dropout" json:"dropout,omitempty"` // default 0.1
	DropLayers List[string]  `yaml:"drop-layers" json:"drop-layers,omitempty"`
	Samples    List[int]     `yaml:"samples" json:"samples,omitempty"` // sub-networks; default 200

	Calibrate     List[float64] `yaml:"calibrate" json:"calibrate,omitempty"` // share of the training rows that calibrates intervals; default 0
	CalibrateKind List[string]  `yaml:"calibrate-kind" json:"calibrate-kind,omitempty"`

	Measures    []string `yaml:"measures" json:"measures,omitempty"`       // that cells are judged by; default all but those on request
	Predictions string   `yaml:"predictions" json:"predictions,omitempty"` // csv or parquet: keep those of all test rows
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

var presets = registry.New("preset", func(p Preset) string { return p.Name }, "import sml/evaluation/report/paper")

// RegisterPreset adds a preset. It panics if there is one of its name, which is a
// mistake in the program.
func RegisterPreset(p Preset) { presets.Add(p) }

// tablesPreset is the one of studies of the user's own tables that name none.
var tablesPreset = Preset{Name: "tables", Summary: "your own tables, under the sound protocol", Config: Config{
	Methods: []string{"mc", "sml", "sml-de", "pu", "pu-de", "de"}, Splits: []string{"random"}, Seeds: []uint64{1},
	Protocol: string(data.Sound), Width: List[int]{50}, Samples: List[int]{evaluation.DefaultSamples},
}}

// Presets lists the registered presets, the first of which is the default, and last
// that of the user's own tables.
func Presets() []Preset { return append(presets.All(), tablesPreset) }

// PresetNames returns the name of every preset.
func PresetNames() []string { return append(presets.Names(), tablesPreset.Name) }

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
	return Preset{}, fmt.Errorf("unknown preset %q: there is %s", c.Preset, strings.Join(PresetNames(), ", "))
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
	base, err := c.preset()
	if err != nil {
		return c, err
	}
	if len(c.Width) > 0 && len(c.Hidden) > 0 {
		return c, errors.New("width and hidden both say what the hidden layers are: leave one out")
	}
	if len(c.Tables) > 0 && len(c.Datasets) == 0 {
		base.Config.Datasets = []string{}
	}
	if len(c.Hidden) > 0 {
		base.Config.Width = nil
	}
	c.Preset = base.Name
	c = base.Config.Over(c)
	if _, err := data.ParseProtocol(c.Protocol); err != nil {
		return c, err
	}
	if err := c.checkSplits(c.Splits); err != nil {
		return c, err
	}
	if len(c.Methods) == 0 {
		return c, errors.New("no method is named")
	}
	c.Methods = slices.Clone(c.Methods)
	for i, label := range c.Methods {
		if _, _, _, err := parseMethod(label); err != nil {
			return c, err
		}
		c.Methods[i] = strings.Join(strings.Fields(label), " ") // it is a name in files and tables
	}
	if c, err = c.resolveSettings(); err != nil {
		return c, err
	}
	for _, label := range c.Methods {
		if _, _, own, _ := parseMethod(label); reflect.DeepEqual(own, Config{}) {
			continue
		}
		one := c.of(label)
		one.Methods = []string{label}
		if _, err := one.resolveSettings(); err != nil {
			return c, fmt.Errorf("method %q: %w", label, err)
		}
	}
	if _, err := measure.Named(c.Measures); err != nil {
		return c, err
	}
	if c.Inner != 0 {
		if err := experiment.InnerFolds.Check("inner", c.Inner); err != nil {
			return c, err
		}
	}
	if !slices.Contains([]string{"", "csv", "parquet"}, c.Predictions) {
		return c, fmt.Errorf("unknown format %q of predictions: there is csv, parquet", c.Predictions)
	}
	if c, err = c.resolveTables(); err != nil {
		return c, err
	}
	return c, c.checkTwice()
}

// checkSplits returns what is wrong with kinds of split, and with the folds of them.
func (c Config) checkSplits(names []string) error {
	for _, name := range names {
		kind, err := data.LookupSplit(name)
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

// resolveSettings checks the settings, and writes those that are texts in one way.
func (c Config) resolveSettings() (Config, error) {
	for _, n := range []struct {
		name   string
		values []int
		in     models.Range
	}{
		{"epochs", c.Epochs, models.Limits.Epochs},
		{"batch", c.Batch, models.Limits.Batch},
		{"width", c.Width, models.Limits.Units},
		{"members", c.Members, models.Limits.Members},
		{"samples", c.Samples, models.Limits.Samples},
	} {
		for _, v := range n.values {
			if err := n.in.Check(n.name, v); err != nil {
				return c, err
			}
		}
	}
	for _, rate := range c.Rate {
		if rate == 0 {
			return c, errors.New("lr is 0: want more")
		}
	}
	c.Hidden = slices.Clone(c.Hidden)
	for i, text := range c.Hidden {
		widths, err := models.ParseWidths(text)
		if err != nil {
			return c, fmt.Errorf("hidden %q: %w", text, err)
		}
		c.Hidden[i] = strings.ReplaceAll(strings.Trim(fmt.Sprint(widths), "[]"), " ", ",")
	}
	c.Optimizer = slices.Clone(c.Optimizer)
	for i, text := range c.Optimizer {
		c.Optimizer[i] = strings.Join(strings.Fields(text), " ")
		if _, _, err := parseOptimizer(c.Optimizer[i]); err != nil {
			return c, err
		}
	}
	return c, c.checkAxes()
}

// resolveTables checks the tables and names them.
func (c Config) resolveTables() (Config, error) {
	for _, t := range c.Tables {
		if _, err := t.source(); err != nil {
			return c, fmt.Errorf("table %s: %w", cmp.Or(t.Name, t.Data), err)
		}
		if err := cmp.Or(c.checkSplits(t.Splits), checkList("splits", t.Splits), t.checkSplits(c.splitsOf(t))); err != nil {
			return c, fmt.Errorf("table %s: %w", cmp.Or(t.Name, t.Data), err)
		}
	}
	var err error
	c.Tables, err = nameTables(c.Tables, c.Datasets)
	return c, err
}

// checkTwice refuses lists that have something twice.
func (c Config) checkTwice() error {
	names := slices.Clone(c.Datasets)
	for _, t := range c.Tables {
		if t.Name != "" {
			names = append(names, t.Name)
		}
	}
	err := cmp.Or(checkList("datasets", c.Datasets), checkList("tables", names), checkList("methods", c.Methods), checkList("splits", c.Splits),
		checkList("fold", c.Fold), checkList("seeds", c.Seeds), checkList("measures", c.Measures))
	for _, a := range c.axes() {
		twice := checkList(a.key, a.values)
		if twice != nil && a.key == "hidden" {
			twice = fmt.Errorf("%w: the layers of one network are one text, such as %q", twice, "50,50")
		}
		err = cmp.Or(err, twice)
	}
	return err
}

func checkList[T cmp.Ordered](name string, list []T) error {
	if len(slices.Compact(slices.Sorted(slices.Values(list)))) < len(list) {
		return fmt.Errorf("%s lists something twice", name)
	}
	return nil
}

const defaultOptimizer = "adam"

// DefaultRule is the optimizer of studies that choose none, as trainers.Settings.Rule
// says it.
var DefaultRule = trainers.Settings{Optimizer: defaultOptimizer, Adam: trainers.DefaultAdam}.Rule()

// By is between a method and its optimizer, in labels of several studies.
const By = " by "

// MethodTitle returns a label as tables and figures show it.
func MethodTitle(label string) string {
	name, settings, _ := strings.Cut(label, " ")
	m, err := models.Lookup(name)
	if err != nil {
		return label
	}
	return strings.TrimSpace(m.Title + " " + settings)
}
