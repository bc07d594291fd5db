package experiment

import (
	"path/filepath"
	"slices"
	"testing"

	"sml/data/read"
	"sml/internal/expect"
	"sml/trainers"
)

// trainedRows returns the numbers, from 0, of the rows of CSV lines that a model was trained on.
func trainedRows(t *testing.T, trained *Trained, lines []string) []int {
	t.Helper()
	m := decodeModel(t, trained.Model)
	names, fields := m.Preparation.Inputs()
	dir := t.TempDir()
	writeLines(t, dir, "rows.csv", lines)
	table := expect.Must(read.File(t.Context(), filepath.Join(dir, "rows.csv"), read.Options{Inputs: names, Fields: fields, Targets: m.Settings.Table.Target}))
	prepared, _, err := m.Preparation.Table(table)
	expect.NoError(t, err)
	o, known := TrainingOverlap(trained.Model, prepared, table, nil)
	if !known {
		t.Fatal("the training rows are not known")
	}
	return o.Equal
}

// A model keeps its training rows and the rows for validation, for every split, and no row
// to calibrate or to test on. Texts, dates and missing values have the same hashes in a
// file with another order of rows.
func TestTrainingRows(t *testing.T) {
	for name, s := range calibrationSettingsBySplit(t) {
		s.Training.Validation = 0.2
		e, trained := train(t, s)
		own := e.Rows.Train
		if got := trained.TrainingRows.Rows(); got != len(own) {
			t.Errorf("%s: the model keeps %d rows of %d", name, got, len(own))
		}
		lines := rawTableLines()
		if name == "test" { // the rows for testing are copies of some of these
			continue
		}
		var want []int
		reversed := []string{lines[0]}
		for r := len(lines) - 2; r >= 0; r-- {
			if slices.Contains(own, r) {
				want = append(want, len(reversed)-1)
			}
			reversed = append(reversed, lines[1+r])
		}
		if got := trainedRows(t, trained, reversed); !slices.Equal(got, want) {
			t.Errorf("%s: rows %v are taken for training rows; want %v", name, got, want)
		}
	}
}

// A training that starts from a model keeps that model's training rows, too, and a
// resumed one the same.
func TestTrainingRowsOfParent(t *testing.T) {
	table := friedman(t)
	first := expect.Must(prepareTest(t, testSettings(t, "random", 1), table).Train(t.Context(), trainers.Options{}))
	s := testSettings(t, "random", 2)
	s.InitFrom = "first"
	e := prepareTest(t, s, table)
	expect.NoError(t, e.StartFrom(decodeModel(t, first.Model)))
	// The model of fold 1 was trained on every row but its own test rows.
	o, want := e.ParentOverlap(), 0
	firstTest := first.Experiment.Rows.Test
	for _, r := range e.Rows.Test {
		if !slices.Contains(firstTest, r) {
			want++
		}
	}
	if o.ExplainedByChance() || len(o.Equal) != want || o.Rows != 100 {
		t.Errorf("of %d test rows %d were trained on; want %d of 100", o.Rows, len(o.Equal), want)
	}
	second := expect.Must(e.Train(t.Context(), trainers.Options{}))
	sum := expect.Must(first.WeightsSum())
	if p := second.Parent; p == nil || p.Model != "first" || p.Weights != sum {
		t.Errorf("the parent is %+v; want first, %s", p, sum)
	}
	union := make(map[int]bool)
	for _, r := range slices.Concat(first.Experiment.Rows.Train, e.Rows.Train) {
		union[r] = true
	}
	if got := second.TrainingRows.Rows(); got != len(union) {
		t.Errorf("the model keeps %d training rows; want %d", got, len(union))
	}

	inputs, targets := e.Inputs, e.Targets
	resumed := prepareTest(t, s, table)
	expect.NoError(t, resumed.Resume(nil, inputs, targets, e.Parent))
	if got := resumed.trainingRows().Rows(); got != len(union) {
		t.Errorf("resumed, it keeps %d training rows; want %d", got, len(union))
	}
	first.TrainingRows = nil
	expect.NoError(t, e.StartFrom(decodeModel(t, first.Model)))
	if e.trainingRows() != nil {
		t.Error("the training rows are known although those of the parent are not")
	}
}
