package experiment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// classSettings are settings of the method for classes on a table with a row of class 2 for ten
// rows of class 0 and nine rows of class 1.
func classSettings(t *testing.T) (Settings, *Table) {
	t.Helper()
	table := &data.Table{Name: "kinds", Columns: []string{"x"}, Targets: []string{"kind"}}
	for i := range 400 {
		table.X = append(table.X, float64(i%17))
		switch {
		case i%20 == 7:
			table.Y = append(table.Y, 2)
		case i%2 == 0:
			table.Y = append(table.Y, 0)
		default:
			table.Y = append(table.Y, 1)
		}
	}
	s := Settings{Training: trainers.Settings{Protocol: data.Sound, Split: "random", Seed: 3}}
	s.Spec.Architecture.Classes = 3
	return s, NewTable(table)
}

// A fold of a random split, an inner fold of it and its calibration rows have the same share of
// every class.
func TestRowsOfClasses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Settings)
		rows   func(Rows) []int
		want   [3]int
	}{
		"test rows":        {func(*Settings) {}, func(r Rows) []int { return r.Test }, [3]int{20, 18, 2}},
		"inner fold":       {func(s *Settings) { s.Training.Inner = trainers.Inner{Folds: 3, Fold: 1} }, func(r Rows) []int { return r.Test }, [3]int{60, 54, 6}},
		"calibration rows": {func(s *Settings) { s.Training.Calibrate = 0.5 }, func(r Rows) []int { return r.Calibration }, [3]int{90, 81, 9}},
	} {
		s, table := classSettings(t)
		c.change(&s)
		rows := expect.Must(s.Rows(t.Context(), table))
		var counts [3]int
		for _, r := range c.rows(rows) {
			counts[int(table.Y[r])]++
		}
		if counts != c.want {
			t.Errorf("%s: %v rows of the classes, want %v", name, counts, c.want)
		}
	}
}

// classSpec returns the method for classes on one input.
func classSpec(t *testing.T, classes int) models.Spec {
	t.Helper()
	return expect.Must(models.NewSpec("classes", nil, models.Architecture{Inputs: 1, Targets: 1, Classes: classes, Hidden: []int{4}}))
}

// The fold that tests on the only row of a class trains without the class, and warns of it.
func TestClassWithoutTrainingRows(t *testing.T) {
	table := &data.Table{
		Name:         "kinds",
		Columns:      []string{"x"},
		Targets:      []string{"kind"},
		TargetFields: []data.Field{{Kind: data.Category, Categories: []string{"blue", "red", "rare"}}},
	}
	for i := range 40 {
		table.X = append(table.X, float64(i%3))
		table.Y = append(table.Y, float64(i%2))
	}
	table.Y[11] = 2
	shared, warned := NewTable(table), 0
	for fold := range 10 {
		s := Settings{Spec: classSpec(t, 3), Training: trainers.Settings{Epochs: 1, Batch: 10, Protocol: data.Sound, Split: "random", Fold: fold}}
		e := expect.Must(Prepare(t.Context(), s, shared))
		trained := expect.Must(e.Train(t.Context(), trainers.Options{}))
		if text := strings.Join(trained.Warnings, "; "); slices.Contains(e.Rows.Test, 11) != strings.Contains(text, `no training row has the class "rare" of kind`) {
			t.Errorf("fold %d warns %q", fold, text)
		} else if text != "" {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("%d folds warn", warned)
	}
}

// Many numbers that are not whole, or of few rows each, are no classes; texts and repeated whole numbers are.
func TestAreMeasurements(t *testing.T) {
	numbers := func(count int, format string) (labels []string) {
		for i := range count {
			labels = append(labels, fmt.Sprintf(format, i))
		}
		return labels
	}
	for _, c := range []struct {
		labels []string // nil for the numbers from 0
		count  int      // classes
		rows   int
		want   bool
	}{
		{nil, 200, 200, true},
		{nil, 200, 1999, true},
		{nil, 200, 2000, false},
		{nil, 20, 20, false},
		{numbers(21, "%d.5"), 21, 1e6, true},
		{numbers(20, "%d.5"), 20, 40, false},
		{numbers(200, "no. %d"), 200, 200, false},
	} {
		table := &data.Table{}
		if c.labels != nil {
			table.TargetFields = []data.Field{{Kind: data.Category, Categories: c.labels}}
		}
		present := make([]int, c.count)
		for i := range present {
			present[i] = i
		}
		if got := areMeasurements(table, 0, present, c.rows); got != c.want {
			t.Errorf("%d classes of %d rows, %v: %v, want %v", c.count, c.rows, c.labels, got, c.want)
		}
	}
}
