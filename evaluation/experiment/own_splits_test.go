package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/data/split"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// rawTableLines returns the lines of a table of 60 rows with texts, dates, missing values, weights, groups
// and folds.
func rawTableLines() []string {
	lines := []string{"colour,size,day,animal,part,w,y"}
	for i := range 60 {
		size := fmt.Sprint(i * 7 % 13)
		if i%9 == 4 {
			size = ""
		}
		part := "train"
		if i%5 == 2 {
			part = "test"
		}
		lines = append(lines, fmt.Sprintf("%s,%s,2024-%02d-%02d,%d,%s,%d,%d", []string{"red", "blue", "green"}[i%3], size, 1+i*7%12, 1+i%28, i*i%17, part, 1+i%3, i*i%31))
	}
	return lines
}

// ownSplitSettings returns sources and settings of every kind of split that needs more than a
// table, over the files train.csv and test.csv in dir.
func ownSplitSettings(dir string) map[string]Settings {
	of := func(by string, alone bool, split string, drop ...string) Settings {
		return Settings{
			Table:    Source{Name: filepath.Join(dir, "train.csv"), Target: []string{"y"}, Weight: "w", Drop: drop, SplitColumn: by, DropBy: alone},
			Training: trainers.Settings{Epochs: 3, Batch: 20, Seed: 3, Split: split, Protocol: data.Sound},
		}
	}
	splits := map[string]Settings{
		"group": of("animal", true, "group", "part"), "time": of("day", false, "time", "part"), "folds": of("part", true, "folds"),
		"random": of("", false, "random", "part"), "stratified": of("", false, "stratified", "part"), "file": of("", false, split.TestFile, "part"),
	}
	file := splits["file"]
	file.Table.Test = &TestFile{Name: filepath.Join(dir, "test.csv")}
	splits["file"] = file
	return splits
}

// ownSplits writes train.csv and test.csv, and returns their settings of every kind of split.
func ownSplits(t *testing.T) map[string]Settings {
	t.Helper()
	dir := t.TempDir()
	writeLines(t, dir, "train.csv", rawTableLines())
	writeLines(t, dir, "test.csv", rawTableLines()[:20])
	return ownSplitSettings(dir)
}

func writeLines(t *testing.T, dir, name string, lines []string) {
	t.Helper()
	expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o666))
}

// train reads the table of settings and trains on it.
func train(t *testing.T, s Settings) (*Experiment, *Trained) {
	t.Helper()
	table := expect.Must(s.Table.Read(t.Context(), "", s.Training.Protocol))
	s.Table = expect.Must(s.Table.Identify(t.Context(), table))
	s.Spec = expect.Must(models.NewSpec("sml", nil, models.Architecture{Inputs: len(table.Columns), Targets: 1, Hidden: []int{6}, Dropout: 0.1}))
	e := prepareTest(t, s, NewTable(table))
	trained := expect.Must(e.Train(t.Context(), trainers.Options{}))
	return e, trained
}

// fittedState returns everything that a training fits: weights, preparation and scalers.
func fittedState(t *testing.T, m *models.Model) []byte {
	t.Helper()
	return expect.Must(json.Marshal([]any{m.Members[0].Float32s(), m.Preparation, m.Inputs, m.Targets, m.History.Rows}))
}

// Held-out rows do not influence what is fitted: with other targets, sizes and weights of these rows
// the weights, the preparation and the scalers have the same bytes. A stratified split chooses its
// test rows by all targets, so for it only the sizes and weights change.
func TestHeldOutRowsDoNotReachTraining(t *testing.T) {
	for name, s := range ownSplits(t) {
		dir := filepath.Dir(s.Table.Name)
		writeLines(t, dir, "train.csv", rawTableLines())
		writeLines(t, dir, "test.csv", slices.Concat(rawTableLines()[:1], []string{"violet,,2025-01-01,99,x,1,1000", "red,3,2020-01-01,99,x,2,-7", ",900,2024-05-05,99,x,1,3"}))
		e, before := train(t, s)
		lines, file := rawTableLines(), "train.csv"
		held := e.Rows.Test
		if name == "file" {
			if file, lines = "test.csv", rawTableLines()[:4]; !slices.Equal(held, []int{60, 61, 62}) {
				t.Fatalf("rows %v are held out", held)
			}
			held = []int{0, 1, 2}
		}
		if len(held) < 3 {
			t.Fatalf("%s: %d rows are held out", name, len(held))
		}
		fields := func(r int) []string { return strings.Split(lines[1+r], ",") }
		for i, r := range held {
			changed := fields(r)
			changed[1], changed[5] = "12345", "9"
			if name != "stratified" {
				changed[6] = strings.Split(rawTableLines()[1+held[(i+1)%len(held)]], ",")[6]
				changed[6] = "-" + changed[6]
			}
			lines[1+r] = strings.Join(changed, ",")
		}
		writeLines(t, dir, file, lines)
		_, after := train(t, s)
		if !bytes.Equal(fittedState(t, before.Model), fittedState(t, after.Model)) {
			t.Errorf("%s: what is fitted follows from rows that are held out", name)
		}
		lines = rawTableLines()
		lines[1+e.Rows.Train[0]] += "5"
		writeLines(t, dir, "train.csv", lines)
		if _, after := train(t, s); bytes.Equal(fittedState(t, before.Model), fittedState(t, after.Model)) {
			t.Errorf("%s: what is fitted does not follow from a row that is trained on", name)
		}
	}
}

// Prepare refuses settings that contradict each other, the table or the split.
func TestPrepareRejects(t *testing.T) {
	table := friedman(t)
	for want, change := range map[string]func(*Settings){
		"fold 1 needs a split; there is none":                           func(s *Settings) { s.Training.Split, s.Training.Fold = "", 1 },
		"a test fraction of 0.3 needs a split; there is none":           func(s *Settings) { s.Training.Split, s.Training.TestFraction = "", 0.3 },
		"a pca split does not let you choose the fraction of test rows": func(s *Settings) { s.Training.Split, s.Training.TestFraction = "pca", 0.3 },
		"want more than 0 and less than 1":                              func(s *Settings) { s.Training.Split, s.Training.TestFraction = "time", 1 },
		"the file of test rows t.csv needs the split file":              func(s *Settings) { s.Table.Test = &TestFile{Name: "t.csv"} },
		"the split needs the column with the group of each row":         func(s *Settings) { s.Training.Split = "group" },
		`unknown split "half"`:                                          func(s *Settings) { s.Training.Split = "half" },
		"no fold 10":                                                    func(s *Settings) { s.Training.Fold = 10 },
		"samples is 1":                                                  func(s *Settings) { s.Prediction.Samples = 1 },
		`prediction mode "chance"`:                                      func(s *Settings) { s.Prediction.Mode = "chance" },
		"epochs is -1":                                                  func(s *Settings) { s.Training.Epochs = -1 },
		"does not fit friedman":                                         func(s *Settings) { s.Spec.Architecture.Inputs = 9 },
		"the table has no rows from a test file":                        func(s *Settings) { s.Training.Split = split.TestFile },
	} {
		s := testSettings(t, "random", 0)
		change(&s)
		expect.Error(t, expect.ErrorOf(Prepare(t.Context(), s, table)), want)
	}
	held := NewTable(table.WithInputs(table.Columns, table.X))
	held.TestRows = 5
	expect.Error(t, expect.ErrorOf(Prepare(t.Context(), testSettings(t, "", 0), held)), "5 rows of friedman come from a file of test rows")
}
