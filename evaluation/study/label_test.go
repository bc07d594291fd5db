package study

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sml/evaluation/measure"
)

// Settings in a method's label are those of a grid over the same setting: the same
// cells but for what they are called.
func TestSettingsInLabels(t *testing.T) {
	labelled, grid := small, small
	labelled.Methods = []string{"sml beta=0.25  dropout=0.3 hidden=7,5 by sgd momentum=0.5", "pu lr=0.01 hidden=none"}
	labelled.Datasets, grid.Datasets = []string{"aa"}, []string{"aa"}
	grid.Methods = []string{"sml beta=0.25"}
	grid.Settings = grid.Settings.merge(Settings{"dropout": {"0.3"}, "hidden": {"7,5"}, "optimizer": {"sgd momentum=0.5"}})
	got, want := newTestPlan(t, labelled), newTestPlan(t, grid)
	for i, c := range want.Cells {
		if !reflect.DeepEqual(got.Cells[i].Settings, c.Settings) {
			t.Errorf("%+v, want %+v", got.Cells[i].Settings, c.Settings)
		}
		if label := "sml beta=0.25 dropout=0.3 hidden=7,5 by sgd momentum=0.5"; got.Cells[i].Label != label {
			t.Errorf("it is called %s, want %s", got.Cells[i].Label, label)
		}
	}
	last := got.Cells[len(got.Cells)-1]
	if s := last.Settings; s.Training.LearningRate != 0.01 || len(s.Spec.Architecture.Hidden) != 0 || s.Training.Epochs != 2 {
		t.Errorf("%+v", s)
	}
	dir := t.TempDir()
	if err := got.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPlan(dir); err != nil {
		t.Error(err)
	}
}

func TestSettingsInLabelsErrors(t *testing.T) {
	for label, want := range map[string]string{
		"sml dropout=2":               `method "sml dropout=2": dropout`,
		"sml dropout=high":            `dropout "high": want a number`,
		"sml epochs=1.5":              `epochs "1.5": want a whole number`,
		"sml epochs=1e3":              `epochs "1e3": want a whole number`,
		"sml width=5 hidden=5,5":      "width and hidden cannot both be chosen",
		"sml speed=3":                 `no hyperparameter "speed"`,
		"sml dropout=0.1 dropout=0.2": "dropout is repeated",
		"sml by nothing":              `unknown optimizer "nothing"`,
	} {
		c := small
		c.Methods = []string{"mc", label}
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", label, err, want)
		}
	}
}

// Inner folds never look at what a split holds out, and are judged by their own rows.
func TestInnerFolds(t *testing.T) {
	c := small
	c.Datasets, c.Methods, c.Splits, c.Fold, c.Inner = []string{"aa"}, []string{"sml"}, []string{"random"}, []int{0}, 3
	dir, p, s := runNewStudy(t, c, Options{})
	if s.Done != 3 || len(p.Cells) != 3 {
		t.Fatalf("%+v", s)
	}
	rows := 0
	var names []string
	for _, cell := range p.Cells {
		r, state, err := Load(dir, p, cell)
		if state != Done || err != nil || r.Train != nil {
			t.Fatalf("%s, %v: %+v", state, err, r)
		}
		rows += r.Test.Rows
		names = append(names, cell.Name)
		if r.TrainRows != 108-r.Test.Rows {
			t.Errorf("it trains on %d rows and is judged on %d", r.TrainRows, r.Test.Rows)
		}
	}
	if rows != 108 { // of 120 rows, 12 of which are held out
		t.Errorf("%d rows are judged", rows)
	}
	if !strings.Contains(names[2], "--random-0-inner-2--") {
		t.Error(names)
	}
	scores := collectOne(t, dir, p).Scores
	i := slices.IndexFunc(scores, func(s measure.Score) bool { return s.Measure == "rmse" })
	if i < 0 || scores[i].Folds != 3 || math.IsNaN(scores[i].Mean) {
		t.Errorf("%+v", scores)
	}
	if c.Inner = 1; c.Check() == nil {
		t.Error("one inner fold")
	}
}

// Labels have hyperparameters of networks as they have those of methods; the outputs of a
// network follow from its method's.
func TestNetworkHyperparametersInLabels(t *testing.T) {
	c := small
	c.Datasets = []string{"aa"}
	c.Methods = []string{"bayes prior-std=3", "mc-pu network=concrete temperature=0.5", "mdn components=5", "quantiles levels=0.05,0.5,0.95"}
	seen := make(map[string]bool)
	for _, cell := range newTestPlan(t, c).Cells {
		a := cell.Settings.Spec.Architecture
		label := cell.Label
		seen[label] = true
		if label == c.Methods[0] && (a.Float("prior-std") != 3 || a.Float("prior-weight") != 0.5) {
			t.Errorf("%s: %v", label, a.Hyperparameters)
		}
		if label == c.Methods[1] && (a.Network != "concrete" || a.Float("temperature") != 0.5) {
			t.Errorf("%s: %v", label, a.Hyperparameters)
		}
		if want := map[string]int{c.Methods[2]: 15, c.Methods[3]: 3}[label]; want > 0 && a.Outputs != want {
			t.Errorf("%s: %d outputs, want %d", label, a.Outputs, want)
		}
	}
	if len(seen) != 4 {
		t.Errorf("planned %v", seen)
	}
	for label, want := range map[string]string{
		"mc prior-std=3":     `method mc has no hyperparameters, and thus no "prior-std"`,
		"bayes prior-std=-1": "prior-std=-1 is out of range",
		"mdn components=2.5": "components=2.5: want a whole number",
	} {
		c.Methods = []string{"pu", label}
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", label, err, want)
		}
	}
}
