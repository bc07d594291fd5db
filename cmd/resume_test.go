package cmd

import (
	"strings"
	"testing"

	"sml/data"
	"sml/data/read"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// A job that was changed, with its checksum made to fit, is refused where it
// could not have been written.
func TestJobIsChecked(t *testing.T) {
	whole := func() job {
		spec, err := models.NewSpec("sml", nil, models.Architecture{Inputs: 1, Targets: 1, Hidden: []int{3}, Activation: "relu", Dropout: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		settings, err := experiment.Settings{
			Table: experiment.Source{Name: "toy", Header: read.HeaderAuto}, Spec: spec, Training: trainers.Settings{Split: "random"},
		}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		return job{
			Settings: settings,
			Inputs:   data.Scalers{{Name: "x", Std: 1}}, Targets: data.Scalers{{Name: "y", Std: 1}},
		}
	}
	one := make([]trainers.State, 1)
	if err := whole().check(one); err != nil {
		t.Fatal(err)
	}
	for want, edit := range map[string]func(j *job){
		"data has no name":          func(j *job) { j.Table.Name = "" },
		"unknown header":            func(j *job) { j.Table.Header = "maybe" },
		"unknown method":            func(j *job) { j.Spec.Method = "none" },
		"do not match its method":   func(j *job) { j.Spec.Architecture.Outputs = 7 },
		"epochs is -1":              func(j *job) { j.Training.Epochs = -1 },
		"not complete":              func(j *job) { j.Training.Batch = 0 },
		"protocol":                  func(j *job) { j.Training.Protocol = "loud" },
		"no fold 10":                func(j *job) { j.Training.Fold = 10 },
		"no fold -1":                func(j *job) { j.Training.Fold = -1 },
		`split "half"`:              func(j *job) { j.Training.Split = "half" },
		"needs a split":             func(j *job) { j.Training.Split, j.Training.Fold = "", 1 },
		"samples is 1":              func(j *job) { j.Prediction.Samples = 1 },
		"unknown prediction mode":   func(j *job) { j.Prediction.Mode = "chance" },
		"0 input":                   func(j *job) { j.Inputs = nil },
		"2 target":                  func(j *job) { j.Targets = append(j.Targets, j.Targets...) },
		"the standard deviation 0":  func(j *job) { j.Inputs[0].Std = 0 },
		"the standard deviation -1": func(j *job) { j.Targets[0].Std = -1 },
	} {
		j := whole()
		edit(&j)
		if err := j.check(one); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	for _, hidden := range [][]int{{-1}, {0}} {
		j := whole()
		j.Spec.Architecture.Hidden = hidden
		if err := j.check(one); err == nil {
			t.Errorf("layers of %v are taken", hidden)
		}
	}
	if err := whole().check(nil); err == nil {
		t.Error("a checkpoint without members is taken")
	}
}
