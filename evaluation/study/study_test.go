package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sml/data"
)

const testVersion = "test"

// tables makes small tables of any name but "absent".
func tables(_ context.Context, name string, mode data.Mode) (*data.Table, error) {
	switch name {
	case "absent":
		return nil, fmt.Errorf("no %s here (%w)", name, ErrAbsent)
	case "broken":
		return nil, errors.New("cannot be read")
	case "two-targets": // the second is the first, doubled and moved
		t := data.Friedman(120, 1)
		y := make([]float64, 0, 240)
		for _, v := range t.Y {
			y = append(y, v, 2*v+100)
		}
		t.Targets, t.Y = []string{"u", "v"}, y
		return t, nil
	}
	return data.Friedman(120, uint64(len(name))), nil
}

// small is a study of 24 cells that takes a moment.
var small = Config{
	Preset: "quick", Datasets: []string{"aa", "bbb"}, Methods: []string{"sml", "pu", "pu-de"}, Splits: []string{"random", "label"},
	Folds: []int{0, 1}, Epochs: 2, Batch: 20, Width: 6, Samples: 5,
}

func planned(t *testing.T, c Config) *Plan {
	t.Helper()
	p, err := NewPlan(t.Context(), c, testVersion, tables, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ran plans and runs a study in a new directory.
func ran(t *testing.T, c Config, o Options) (string, *Plan, Summary) {
	t.Helper()
	dir, p := t.TempDir(), planned(t, c)
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	s, err := Run(t.Context(), dir, p, testVersion, tables, o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, p, s
}

// contents reads all of a study but its log.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "log.jsonl" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameStudy(t *testing.T, what string, a, b string) {
	t.Helper()
	x, y := contents(t, a), contents(t, b)
	if len(x) != len(y) {
		t.Errorf("%s: %d files, want %d", what, len(y), len(x))
	}
	for name, text := range x {
		if y[name] != text {
			t.Errorf("%s: %s differs:\n%.300s\n%.300s", what, name, text, y[name])
		}
	}
}

// A cell's hash decides which results count, so it must never change by
// accident: when the settings' JSON changes, format is raised and this with it.
func TestHashesAreStable(t *testing.T) {
	p := planned(t, small)
	if len(p.Cells) != 24 {
		t.Fatalf("%d cells, want 2 data sets × 3 methods × 2 splits × 2 folds", len(p.Cells))
	}
	const want = "84e2c4641688b8c4cedf802335b7a86afa52a79d86deaf064fdccb0a8cd1c133"
	if got := p.Cells[0].Hash; got != want {
		t.Errorf("the first cell's hash is %s, want %s", got, want)
	}
	names := make(map[string]bool)
	for _, c := range p.Cells {
		if names[c.Name] {
			t.Errorf("two cells are called %s", c.Name)
		}
		names[c.Name] = true
		if c.Cost <= 0 {
			t.Errorf("%s costs %v", c.Name, c.Cost)
		}
	}
	other := small
	other.Epochs++
	for i, c := range planned(t, other).Cells {
		if c.Hash == p.Cells[i].Hash {
			t.Errorf("other settings, the same hash: %s", c.Name)
		}
	}
}

func TestResultsDoNotDependOnJobs(t *testing.T) {
	one, _, s := ran(t, small, Options{Jobs: 1})
	if s.Done != 24 || s.Failed+s.Missing+s.Broken != 0 {
		t.Errorf("%+v", s)
	}
	many, _, _ := ran(t, small, Options{Jobs: 4})
	sameStudy(t, "four jobs", one, many)
}

// PU is the first member of PU-DE: with it or alone it has the same result.
func TestMembersAreShared(t *testing.T) {
	together, _, _ := ran(t, small, Options{})
	alone := small
	alone.Methods = []string{"pu"}
	apart, _, _ := ran(t, alone, Options{})
	x, y := contents(t, together), contents(t, apart)
	for name, text := range y {
		if name != planFile && x[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

func TestStoppedAndResumed(t *testing.T) {
	whole, p, _ := ran(t, small, Options{})
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		begun := -1
		s, err := Run(ctx, dir, p, testVersion, tables, Options{Jobs: 2, Progress: func(now Progress) {
			if begun < 0 {
				begun = now.Done
			}
			if now.Done >= begun+5 {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			if stops < 2 || s.Done != 24 {
				t.Errorf("%d stops, %+v", stops, s)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	sameStudy(t, "stopped and resumed", whole, dir)
}

func TestTwoRunnersOnOneDirectory(t *testing.T) {
	whole, p, _ := ran(t, small, Options{})
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 2 {
		go func() {
			_, err := Run(t.Context(), dir, p, testVersion, tables, Options{Jobs: 1})
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	sameStudy(t, "two runners", whole, dir)
}

// Whatever is done to a cell's file, it does not count and is run again.
func TestBrokenFilesAreFound(t *testing.T) {
	whole, p, _ := ran(t, small, Options{})
	dir, _, _ := ran(t, small, Options{})
	cells := p.Cells
	path := func(i int) string { return cellPath(dir, cells[i].Name) }
	read := func(i int) string {
		text, err := os.ReadFile(path(i))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write := func(i int, text string) {
		if err := os.WriteFile(path(i), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(0, "")
	write(1, read(1)[:100])
	write(2, strings.Replace(read(2), `"rows":12`, `"rows":13`, 1))
	write(3, read(4)) // another cell's result
	write(5, strings.Replace(read(5), `"version":"test"`, `"version":"other"`, 1))
	kept := filepath.Join(dir, predictionsDir, cells[0].Name+".csv")
	if err := os.WriteFile(kept, []byte("row,y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if read(2) == "" || contents(t, dir)[filepath.Join(cellsDir, cells[2].Name+".json")] == contents(t, whole)[filepath.Join(cellsDir, cells[2].Name+".json")] {
		t.Fatal("nothing was edited in cell 2")
	}
	s, err := Status(dir, p)
	if err != nil || s.Broken != 5 || len(s.Breaks) != 5 {
		t.Errorf("%+v, %v", s, err)
	}
	c, err := Collect(dir, p)
	if err != nil || c.Summary.Broken != 5 {
		t.Errorf("%+v, %v", c.Summary, err)
	}
	if _, err := Run(t.Context(), dir, p, testVersion, tables, Options{}); err != nil {
		t.Fatal(err)
	}
	sameStudy(t, "mended", whole, dir)
}

func TestPlansAndVersionsAreNotMixed(t *testing.T) {
	dir, p, _ := ran(t, small, Options{})
	if err := p.Write(dir); err != nil {
		t.Errorf("planning the same again: %v", err)
	}
	other := small
	other.Seeds = []uint64{2}
	if err := planned(t, other).Write(dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another plan in the same directory: %v", err)
	}
	if _, err := Run(t.Context(), dir, p, "newer", tables, Options{}); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("another version: %v", err)
	}
	path := cellPath(dir, p.Cells[0].Name)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	changed := func(_ context.Context, name string, mode data.Mode) (*data.Table, error) {
		return data.Friedman(120, 99), nil
	}
	if _, err := Run(t.Context(), dir, p, testVersion, changed, Options{}); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("another table: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, planFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{{`"epochs": 2`, `"epochs": 3`}, {`"absent": []`, `"absent": ["x"]`}, {`"methods": [`, `"methods": ["mc",`}} {
		edited := strings.Replace(string(text), edit[0], edit[1], 1)
		if edited == string(text) {
			t.Fatalf("there is no %s in the plan", edit[0])
		}
		if _, err := decodePlan([]byte(edited)); err == nil {
			t.Errorf("a plan with %s was accepted", edit[1])
		}
	}
}

func TestFailuresAreRecorded(t *testing.T) {
	hot := small
	hot.Rate, hot.Methods, hot.Datasets = 1e30, []string{"sml", "de"}, []string{"aa"}
	dir, p, s := ran(t, hot, Options{})
	if s.Failed != 8 || len(s.Failures) != 8 || !strings.Contains(s.Failures[0], "diverged") {
		t.Fatalf("%+v", s)
	}
	c, err := Collect(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range c.Scores {
		if score.Folds != 0 || score.Failed == 0 || !math.IsNaN(score.Mean) {
			t.Errorf("%+v", score)
		}
	}
	again := 0
	count := Options{Progress: func(p Progress) { again = max(again, int(math.Round(p.Work*1e9))) }}
	if _, err := Run(t.Context(), dir, p, testVersion, tables, count); err != nil || again != 0 {
		t.Errorf("failed cells were run again unasked: %v", err)
	}
	count.RetryFailed = true
	if _, err := Run(t.Context(), dir, p, testVersion, tables, count); err != nil || again == 0 {
		t.Errorf("failed cells were not run again: %v", err)
	}
	fresh := t.TempDir()
	if err := p.Write(fresh); err != nil {
		t.Fatal(err)
	}
	if s, err := Run(t.Context(), fresh, p, testVersion, tables, Options{Jobs: 1, FailFast: true}); !errors.Is(err, ErrFailFast) || s.Failed > 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestCollect(t *testing.T) {
	dir, p, _ := ran(t, small, Options{})
	c, err := Collect(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, s := range c.Scores {
		if s.Dataset == "aa" && s.Method == "sml" && s.Measure == "rmse" {
			found = append(found, fmt.Sprintf("%s of %d", s.Split, s.Folds))
		}
	}
	want := []string{"train of 2", "test of 2", "label-interpolate of 1", "label-extrapolate of 1"}
	if !slices.Equal(found, want) {
		t.Errorf("scores of %v, want %v", found, want)
	}
	// By hand from the two cells.
	var values []float64
	for _, cell := range p.Cells {
		if cell.Dataset == "aa" && cell.Label == "sml" && cell.Split == "random" {
			r, _, err := load(dir, testVersion, cell)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, float64(r.Test.Scores["nll"]))
		}
	}
	for _, s := range c.Scores {
		if s.Dataset == "aa" && s.Method == "sml" && s.Measure == "nll" && s.Split == "test" {
			mean, std := (values[0]+values[1])/2, math.Abs(values[0]-values[1])/math.Sqrt2
			if math.Abs(s.Mean-mean) > 1e-12 || math.Abs(s.Std-std) > 1e-12 {
				t.Errorf("%+v, want %v ± %v", s, mean, std)
			}
		}
	}
	rows, err := Predictions(dir, p.Cells[0].Name)
	if err != nil || len(rows) != 12 {
		t.Errorf("%d predictions, %v; want the 12 of a tenth", len(rows), err)
	}
	if pairs, err := Pairs(dir, p.Cells[0].Name); err != nil || len(pairs) != 12*200 {
		t.Errorf("%d pairs, %v", len(pairs), err)
	}
}

func TestPlanRejects(t *testing.T) {
	for want, c := range map[string]Config{
		"unknown preset":        {Preset: "huge"},
		"unknown method":        {Datasets: []string{"aa"}, Methods: []string{"lms"}},
		"no hyperparameter":     {Datasets: []string{"aa"}, Methods: []string{"sml betta=1"}},
		"unknown split":         {Datasets: []string{"aa"}, Splits: []string{"rows"}},
		"no fold 10":            {Datasets: []string{"aa"}, Folds: []int{10}},
		"mode":                  {Datasets: []string{"aa"}, Mode: "quick"},
		"format \"xlsx\"":       {Datasets: []string{"aa"}, Predictions: "xlsx"},
		"lists something twice": {Datasets: []string{"aa", "aa"}},
		"1 data sets are not":   {Datasets: []string{"aa", "absent"}},
		"cannot be read":        {Datasets: []string{"broken"}},
		"samples at least 2":    {Datasets: []string{"aa"}, Samples: 1},
	} {
		if _, err := NewPlan(t.Context(), c, testVersion, tables, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v does not say %q", c, err, want)
		}
	}
	some := small
	some.Datasets = []string{"aa", "absent"}
	if p, err := NewPlan(t.Context(), some, testVersion, tables, true); err != nil || !slices.Equal(p.Absent, []string{"absent"}) || len(p.Cells) != 12 {
		t.Errorf("skipping what is missing: %v", err)
	}
}

func TestReadConfig(t *testing.T) {
	c, err := ReadConfig(strings.NewReader("preset: beta\ndatasets: [yacht, boston]\nfolds: [0]\nlr: 0.01\n"))
	if err != nil || c.Preset != "beta" || !slices.Equal(c.Datasets, []string{"yacht", "boston"}) || c.Rate != 0.01 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := ReadConfig(strings.NewReader("")); err != nil || c.Preset != "" {
		t.Errorf("an empty file: %+v, %v", c, err)
	}
	for _, wrong := range []string{"epoch: 3", "folds: one", "[1]"} {
		if _, err := ReadConfig(strings.NewReader(wrong)); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
	over := c.Over(Config{Folds: []int{3}})
	if !slices.Equal(over.Folds, []int{3}) || over.Preset != "beta" {
		t.Errorf("%+v", over)
	}
}

func TestPaperPreset(t *testing.T) {
	c, err := Config{}.resolve()
	if err != nil || len(c.Datasets) != 13 || len(c.Methods) != 6 || len(c.Splits) != 3 || c.Width != 50 || c.Samples != 200 {
		t.Errorf("%+v, %v", c, err)
	}
	p, err := NewPlan(t.Context(), Config{Datasets: []string{"friedman"}}, testVersion, tables, false)
	if err != nil {
		t.Fatal(err)
	}
	// 120 rows: the paper's settings for small sets.
	if s := p.Cells[0].Settings; len(p.Cells) != 6*3*10 || s.Epochs != 1000 || s.Batch != 100 || s.LearningRate != 0.001 || s.Seed != 1 {
		t.Errorf("%d cells with %+v", len(p.Cells), s)
	}
}

// Every accepted cell file or plan is whole; nothing crashes.
// Kept predictions have a line for each row and target. Doubled and moved, a
// target is the same number in standardised units, to rounding.
func TestPredictionsOfTwoTargets(t *testing.T) {
	c := small
	c.Datasets, c.Methods, c.Splits, c.Folds, c.Predictions = []string{"two-targets"}, []string{"sml"}, []string{"random"}, []int{0}, "csv"
	dir, p, _ := ran(t, c, Options{})
	rows, err := Predictions(dir, p.Cells[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2*12 {
		t.Fatalf("%d lines, want 2 targets × 12 rows", len(rows))
	}
	for i := 0; i < len(rows); i += 2 {
		u, v := rows[i], rows[i+1]
		if u.Row != v.Row || u.Target != 0 || v.Target != 1 || math.Abs(u.Y-v.Y) > 1e-9 {
			t.Errorf("lines of one row: %+v, %+v", u, v)
		}
		if u.Mean == v.Mean {
			t.Errorf("row %d: two outputs of a network predict the same", u.Row)
		}
	}
	pairs, err := Pairs(dir, p.Cells[0].Name)
	if err != nil || len(pairs) != 12*200 {
		t.Errorf("%d pairs of the first target, want 12 rows × 200 sub-networks (%v)", len(pairs), err)
	}
}

// Two runs of one process number on two machines are two runs; a line that is
// cut short is passed over.
func TestReadTimes(t *testing.T) {
	dir := t.TempDir()
	log := `{"time":"2026-01-02T10:00:10Z","process":7,"worker":0,"seconds":10,"host":"a","cpu":"fast","cores":2}
{"time":"2026-01-02T10:00:30Z","process":7,"worker":1,"seconds":25,"host":"a","cpu":"fast","cores":2}
{"time":"2026-01-03T10:00:05Z","process":7,"worker":0,"seconds":5,"host":"b","cpu":"slow","cores":4}
{"time":"2026-01-03T10:0`
	if err := os.WriteFile(filepath.Join(dir, "log.jsonl"), []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	times, err := ReadTimes(dir)
	if err != nil {
		t.Fatal(err)
	}
	if times.Wall != 35*time.Second || times.First.Day() != 2 || times.Last.Day() != 3 {
		t.Errorf("%+v, want 30 s on one day and 5 s on the next", times)
	}
	if len(times.Machines) != 2 || times.Machines[0].CPU != "fast" || times.Machines[1].Cores != 4 {
		t.Errorf("machines %+v", times.Machines)
	}
}

func FuzzCell(f *testing.F) {
	p, err := NewPlan(context.Background(), small, testVersion, tables, false)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"name":"a","hash":"b","version":"test","sha256":"","result":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := decodeCell(text, testVersion, p.Cells[0]); err == nil && r.Failed == "" && r.Test == nil {
			t.Error("a cell without scores was accepted")
		}
		if p, err := decodePlan(text); err == nil && len(p.Cells) > 0 && p.Cells[0].Hash != p.Cells[0].Cell.hash() {
			t.Error("a cell of another hash was accepted")
		}
	})
}
