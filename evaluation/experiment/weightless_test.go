package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/calibrate"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// withWeightless returns the lines of a table with rows of weight 0 among them, whose cells are unlike all others:
// texts, dates, numbers, targets and classes that no other row has.
func withWeightless(lines []string) []string {
	var all []string
	for i, line := range lines {
		all = append(all, line)
		if i%4 == 1 {
			all = append(all, fmt.Sprintf("violet%d,%d,1950-01-01,%d,%s,0,-999", i, 1_000_000*i, 100+i, []string{"train", "test"}[i%3%2]))
		}
	}
	return all
}

// outcome returns everything that follows from a training on a table: the fitted numbers, the calibration, the
// predictions of the test rows and their scores.
func outcome(t *testing.T, s Settings, method string) ([]byte, error) {
	t.Helper()
	table := expect.Must(s.Table.Read(t.Context(), "", data.Sound))
	s.Table = expect.Must(s.Table.Identify(t.Context(), table))
	shared := NewTable(table)
	architecture := s.Spec.Architecture
	architecture.Inputs = len(table.Columns)
	architecture.Targets = 1
	architecture.Classes = shared.CountClasses()
	var err error
	s.Spec, err = models.NewSpec(method, nil, architecture)
	if err != nil {
		return nil, err
	}
	e, err := Prepare(t.Context(), s, shared)
	if err != nil {
		return nil, err
	}
	trained, err := e.Train(t.Context(), trainers.Options{})
	if err != nil {
		return nil, err
	}
	scores, p, err := e.Evaluate(t.Context(), trained.Model, e.Rows.Test, e.Sampling())
	if err != nil {
		return nil, err
	}
	state := string(fittedState(t, trained.Model)) + string(trained.Calibration) + fmt.Sprint(trained.Labels)
	for _, target := range p.Values {
		state += fmt.Sprint(target.Mean(), target.Std())
	}
	text := expect.Must(json.Marshal(scores))
	return append(text, state...), nil
}

// smallSettings returns the settings of a small training of a method on the files that writeSmallTables writes in dir.
func smallSettings(method models.Method, dir string) Settings {
	s := ownSplitSettings(dir)["folds"]
	if method.PredictsClasses() {
		s.Table.Name = filepath.Join(dir, "classes.csv")
		s.Table.Classes = true
	}
	s.Spec.Method = method.Name
	s.Spec.Architecture.Hidden = []int{4}
	s.Spec.Architecture.Bins = 4
	s.Prediction.Samples = 3
	s.Training.Epochs = 1
	s.Training.Batch = 6 // enough steps for methods that use several
	s.Training.Members = 1
	if method.Members > 1 {
		s.Training.Members = 4
	}
	return s
}

// writeSmallTables writes train.csv and, with classes for targets, classes.csv. change changes their lines.
func writeSmallTables(t *testing.T, dir string, change func(lines []string) []string) {
	numbers := rawTableLines()
	classes := slices.Clone(numbers)
	for i, line := range classes[1:] {
		fields := strings.Split(line, ",")
		fields[6] = []string{"no", "yes"}[i*i%7%2]
		classes[i+1] = strings.Join(fields, ",")
	}
	writeLines(t, dir, "train.csv", change(numbers))
	writeLines(t, dir, "classes.csv", change(classes))
}

// ownMethods returns the methods of the program, without those that other tests register, whose objectives ignore the
// weights of rows.
func ownMethods() []models.Method {
	return slices.DeleteFunc(models.Methods(), func(m models.Method) bool { return m.Name == "three-quantiles" || m.Name == "kendall-gal" })
}

// A row of weight 0 counts like no row: a training on a table with such rows gives the same bytes as a training on the
// table without them, for all methods, kinds of calibration and ways to choose their rows. The split is the same, since
// a column determines it.
func TestWeightlessRowsCountLikeNone(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of trainings take half a minute: make test runs them")
	}
	with := t.TempDir()
	without := t.TempDir()
	writeSmallTables(t, with, withWeightless)
	writeSmallTables(t, without, func(lines []string) []string { return lines })
	check := func(method models.Method, kind calibrate.Kind, change func(*trainers.Settings)) {
		t.Run(method.Name+"/"+kind.Name, func(t *testing.T) {
			var outcomes [][]byte
			for _, dir := range []string{with, without} {
				s := smallSettings(method, dir)
				s.Calibration = calibrate.Options{Kind: kind.Name, Coverage: 0.5}
				change(&s.Training)
				result := expect.Must(outcome(t, s, method.Name))
				outcomes = append(outcomes, result)
			}
			if !bytes.Equal(outcomes[0], outcomes[1]) {
				t.Error("rows of weight 0 change the result")
			}
		})
	}
	for _, method := range ownMethods() {
		for _, kind := range calibrate.Kinds() {
			if kind.IsForClasses() != method.PredictsClasses() {
				continue
			}
			spec := expect.Must(models.NewSpec(method.Name, nil, models.Architecture{Inputs: 1, Targets: 1, Classes: 2}))
			form, err := spec.PredictionForm(max(1, method.Members))
			expect.NoError(t, err)
			predictsNothingToCalibrate := form.Family.Classes == 0 && !form.Family.HasStd && form.Family.Levels == nil
			if predictsNothingToCalibrate || form.Family.Levels != nil && kind.Name != calibrate.Kinds()[0].Name {
				continue
			}
			if method.Members <= 1 || kind.Name != calibrate.Kinds()[0].Name {
				check(method, kind, func(s *trainers.Settings) { s.Calibrate = 0.5; s.Validation = 0.3; s.Patience = 1 })
				continue
			}
			check(method, kind, func(s *trainers.Settings) { s.CrossValidation = true })
			check(method, kind, func(s *trainers.Settings) { s.Bootstrap = true })
		}
	}
}

// A random split divides the rows of the file before rows of weight 0 are left out: they move no other row. The
// expected numbers are those of the same split without weights.
func TestSplitComesBeforeWeights(t *testing.T) {
	table := data.Friedman(50, 1)
	s := testSettings(t, "random", 1)
	unweighted := expect.Must(s.Rows(t.Context(), NewTable(table)))
	weighted := data.Friedman(50, 1)
	weighted.Weight = "count"
	for row := range 50 {
		weighted.W = append(weighted.W, float64(row%4))
	}
	shared := NewTable(weighted)
	rows := expect.Must(s.Rows(t.Context(), shared))
	for _, c := range []struct{ got, split []int }{{rows.Train, unweighted.Train}, {rows.Test, unweighted.Test}} {
		var got, want []int // numbers in the file
		for _, row := range c.got {
			got = append(got, shared.RowNumber(row))
		}
		for _, row := range c.split {
			if row%4 > 0 {
				want = append(want, row+1)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("rows %v; want %v", got, want)
		}
	}
}

// The classes that only rows of weight 0 have are no classes of the network, and the other rows keep their numbers in
// the file.
func TestWeightlessClasses(t *testing.T) {
	table := &data.Table{
		Name: "kinds", Columns: []string{"x"}, Targets: []string{"kind"}, Weight: "w",
		TargetFields: []data.Field{{Kind: data.Category, Categories: []string{"a", "b", "c"}}},
		X:            []float64{1, 2, 3, 4},
		Y:            []float64{2, 1, 0, 2},
		W:            []float64{1, 0, 2, 1},
	}
	shared := NewTable(table)
	if !slices.Equal(shared.Y, []float64{1, 0, 1}) || !slices.Equal(shared.TargetFields[0].Categories, []string{"a", "c"}) || !slices.Equal(shared.Numbers, []int{1, 3, 4}) {
		t.Errorf("classes %v of %v in rows %v", shared.Y, shared.TargetFields, shared.Numbers)
	}
}

// A split that looks at values, as by time or by target, divides the same rows with rows of weight 0 and without them. The
// new rows come last in the table and first in time, so that the numbers of the others stay.
func TestWeightlessRowsMoveNoOtherRow(t *testing.T) {
	withDays := func() *data.Table {
		table := data.Friedman(50, 1)
		table.SplitColumn = "day"
		for row := range table.Rows() {
			table.SplitValues = append(table.SplitValues, float64(row*7%50))
		}
		return table
	}
	table := withDays()
	weightless := withDays()
	weightless.Weight = "w"
	weightless.W = slices.Repeat([]float64{1}, table.Rows())
	for row := range 20 {
		weightless.X = append(weightless.X, slices.Repeat([]float64{1000 * float64(row)}, len(table.Columns))...)
		weightless.Y = append(weightless.Y, float64(-999*row))
		weightless.SplitValues = append(weightless.SplitValues, -1000+float64(row))
		weightless.W = append(weightless.W, 0)
	}
	for _, kind := range []string{"time", "stratified", "label", "single-label", "pca", "single-pca"} {
		s := testSettings(t, kind, 0)
		want := expect.Must(s.Rows(t.Context(), NewTable(table)))
		got := expect.Must(s.Rows(t.Context(), NewTable(weightless)))
		if !slices.Equal(got.Test, want.Test) || !slices.Equal(got.Train, want.Train) {
			t.Errorf("%s: test rows %v; want %v", kind, got.Test, want.Test)
		}
	}
}
