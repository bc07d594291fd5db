package cmd

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/expect"
	"sml/models"
)

// shipped lists the methods of this module that predict numbers: tests register others.
var shipped = slices.DeleteFunc(models.Methods(), models.Method.PredictsClasses)

// The train command and the cell of a study have the same settings, and the same scores bit for bit: by every method, and
// on a raw table with weights and a further column for single networks, for an ensemble, and for its first member, which
// the study does not train again.
func TestTrainIsCell(t *testing.T) {
	skipIfShort(t)
	dir := t.TempDir()
	own := filepath.Join(dir, "own.csv")
	table := "kind,when,hole,count,group,y\n"
	for i := range 50 {
		table += fmt.Sprintf("%s,2024-%02d-%02d,%s,%d,%d,%d\n", []string{"a", "b", "c"}[i%3], 1+i%12, 1+i%28, []string{"", "1.5", "2", "7"}[i%4], 1+i%2, i/10, 1+i*i%19)
	}
	writeFile(t, own, table)
	var names []string
	for _, m := range shipped {
		names = append(names, m.Name)
	}
	raw := "--data " + own + " --target y --weight count --extra group --missing mean --transform log --hidden 8,4"
	for name, c := range map[string]struct {
		methods     []string
		plan, train string // flags of the commands
	}{
		"every method": {names, "--datasets friedman --width 10 --protocol paper --splits random", "--data friedman --hidden 10,10 --protocol paper"},
		"raw table":    {[]string{"sml", "pu", "pu-de"}, raw, raw},
	} {
		t.Run(name, func(t *testing.T) {
			s := filepath.Join(t.TempDir(), "study")
			plan := []string{"study", "plan", s, "--methods", strings.Join(c.methods, ","), "--fold", "3", "--epochs", "2"}
			runSML(t, nil, append(plan, strings.Fields(c.plan)...)...)
			runSML(t, nil, "study", "run", s, "--quiet")
			p := expect.Must(study.ReadPlan(s))
			collected, _, err := study.Collect([]study.Directory{{Dir: s, Plan: p}})
			expect.NoError(t, err)
			if len(p.Cells) != len(c.methods) {
				t.Fatalf("%d cells of %d methods", len(p.Cells), len(c.methods))
			}
			for _, cell := range p.Cells {
				checkTraining(t, cell, collected[0].Scores, strings.Fields(c.train))
			}
		})
	}
}

// checkTraining repeats the training of a cell by the train command, and compares the settings and the scores of the test rows.
func checkTraining(t *testing.T, cell study.PlannedCell, scores []measure.Score, flags []string) {
	t.Helper()
	model := filepath.Join(t.TempDir(), cell.Label)
	train := []string{"train", "--method", cell.Label, "--split", "random", "--fold", "3", "--seed", "1", "--epochs", "2", "--quiet", "--json", "--out", model}
	var trained struct{ Test evaluation.Evaluation }
	unmarshal(t, runSML(t, nil, append(train, flags...)...), &trained)
	settings := expect.Must(experiment.Open(model)).Settings
	settings.Prediction = cell.Prediction
	settings.Calibration = cell.Calibration // a model has its calibration elsewhere
	if cell.Table.Layout == nil {           // a study names its data sets alone
		settings.Table.Layout = nil
		settings.Table.Header = ""
	}
	if got, want := mustJSON(settings), mustJSON(cell.Settings); !bytes.Equal(got, want) {
		t.Errorf("%s: train has the settings\n%s\nand the cell\n%s", cell.Label, got, want)
	}
	compared := 0
	for _, s := range scores {
		if s.Method != cell.Label || s.Split != "test" || s.Measure == "ece_isotonic" { // needs the training rows, which only a study predicts
			continue
		}
		compared++
		if got := trained.Test.Standardised.Get(s.Measure); got != s.Mean {
			t.Errorf("%s: the cell's %s is %v, and train's %v", cell.Label, s.Measure, s.Mean, got)
		}
	}
	if want := len(trained.Test.Standardised); compared != want {
		t.Errorf("%s: %d of %d scores are compared", cell.Label, compared, want)
	}
}
