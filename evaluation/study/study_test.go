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
	"strconv"
	"strings"
	"testing"
	"time"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/predicted"
	"sml/internal/expect"
	"sml/internal/strict"
	"sml/models"
)

const testVersion = "test"

func init() {
	first := Config{
		Datasets: []string{"aa"}, Methods: []string{"mc", "sml"}, Splits: []string{"random", "label"}, Seeds: []uint64{1},
		Protocol: string(data.Paper), Settings: Settings{"width": {"50"}, "samples": {"200"}},
	}
	RegisterPreset(Preset{Name: "first", Config: first})
	RegisterPreset(Preset{Name: "few", Config: first})
	RegisterPreset(Preset{Name: "sub-networks", Config: first, PredictBy: func(models.Spec, data.Protocol) string {
		return experiment.SubNetworkMode
	}})
}

// readSmallTable generates a table of 120 rows for any name but "absent" and "broken".
func readSmallTable(_ context.Context, s experiment.Source, mode data.Protocol) (*data.Table, error) {
	switch name := s.Name; name {
	case "absent":
		return nil, fmt.Errorf("no %s here (%w)", name, ErrMissingData)
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
	return data.Friedman(120, uint64(len(s.Name))), nil
}

// small is a study of 24 cells that runs in less than a second.
var small = Config{
	Preset: "few", Datasets: []string{"aa", "bbb"}, Methods: []string{"sml", "pu", "pu-de"}, Splits: []string{"random", "label"},
	Fold: []int{0, 1}, Settings: Settings{"epochs": {"2"}, "batch": {"20"}, "width": {"6"}, "samples": {"5"}},
}

// withoutSamples returns c with the default number of sub-networks, for methods that have none.
func withoutSamples(c Config) Config {
	c.Settings = c.Settings.merge(nil)
	delete(c.Settings, "samples")
	return c
}

// newTestPlan returns the plan of a study of readSmallTable's tables.
func newTestPlan(t *testing.T, c Config) *Plan {
	t.Helper()
	return expect.Must(NewPlan(t.Context(), c, testVersion, readSmallTable, false))
}

// writePlan writes a plan to a new directory.
func writePlan(t *testing.T, p *Plan) (dir string) {
	t.Helper()
	dir = t.TempDir()
	expect.NoError(t, p.Write(dir))
	return dir
}

// runNewStudy plans and runs a study in a new directory.
func runNewStudy(t *testing.T, c Config, o Options) (string, *Plan, Summary) {
	t.Helper()
	p := newTestPlan(t, c)
	dir := writePlan(t, p)
	s := expect.Must(Run(t.Context(), dir, p, testVersion, readSmallTable, o))
	return dir, p, s
}

// readStudyFiles returns the contents of a study's files by name, without its logs.
func readStudyFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	expect.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(d.Name(), ".jsonl") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	}))
	return files
}

// checkSameStudy reports an error unless two directories have the same files of a study. The error begins with what.
func checkSameStudy(t *testing.T, what string, a, b string) {
	t.Helper()
	x, y := readStudyFiles(t, a), readStudyFiles(t, b)
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
// accident: when the settings' JSON changes, resultsVersion is raised and this test is changed with it.
func TestHashesAreStable(t *testing.T) {
	p := newTestPlan(t, small)
	if len(p.Cells) != 24 {
		t.Fatalf("%d cells, want 2 data sets × 3 methods × 2 splits × 2 folds", len(p.Cells))
	}
	const want = "6ccdabe23544c0a61219ccb90aab447ecfb910572005e1ecbc34196b931e77b9"
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
	other.Settings = other.Settings.merge(Settings{"epochs": {"3"}})
	for i, c := range newTestPlan(t, other).Cells {
		if c.Hash == p.Cells[i].Hash {
			t.Errorf("other settings, the same hash: %s", c.Name)
		}
	}
}

func TestStoppedAndResumed(t *testing.T) {
	whole, p, _ := runNewStudy(t, small, Options{})
	dir := writePlan(t, p)
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		begun := -1
		s, err := Run(ctx, dir, p, testVersion, readSmallTable, Options{Jobs: 2, Progress: func(now Progress) {
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
	checkSameStudy(t, "stopped and resumed", whole, dir)
}

// A cell whose file was edited, cut short or exchanged does not count and is run again.
func TestBrokenFilesAreFound(t *testing.T) {
	whole, p, _ := runNewStudy(t, small, Options{})
	dir, _, _ := runNewStudy(t, small, Options{})
	cells := p.Cells
	path := func(i int) string { return p.cellPath(dir, cells[i].Name) }
	read := func(i int) string {
		text := expect.Must(os.ReadFile(path(i)))
		return string(text)
	}
	write := func(i int, text string) {
		expect.NoError(t, os.WriteFile(path(i), []byte(text), 0o644))
	}
	write(0, "")
	write(1, read(1)[:100])
	write(2, strings.Replace(read(2), `"rows":12`, `"rows":13`, 1))
	write(3, read(4)) // another cell's result
	write(5, strings.Replace(read(5), `"version":"test"`, `"version":"other"`, 1))
	kept := filepath.Join(dir, predictionsDir, cells[0].Name+".csv")
	expect.NoError(t, os.WriteFile(kept, []byte("row,y\n"), 0o644))
	if read(2) == "" || readStudyFiles(t, dir)[filepath.Join(cellsDir, cells[2].Name+".json")] == readStudyFiles(t, whole)[filepath.Join(cellsDir, cells[2].Name+".json")] {
		t.Fatal("nothing was edited in cell 2")
	}
	if s := Status(dir, p); s.Broken != 5 || len(s.Breaks) != 5 {
		t.Errorf("%+v", s)
	}
	if c := collectOne(t, dir, p); c.Summary.Broken != 5 {
		t.Errorf("%+v", c.Summary)
	}
	expect.Must(Run(t.Context(), dir, p, testVersion, readSmallTable, Options{}))
	checkSameStudy(t, "mended", whole, dir)
}

func TestPlansAndVersionsAreNotMixed(t *testing.T) {
	dir, p, _ := runNewStudy(t, small, Options{})
	if err := p.Write(dir); err != nil {
		t.Errorf("planning the same again: %v", err)
	}
	other := small
	other.Seeds = []uint64{2}
	if err := newTestPlan(t, other).Write(dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another plan in the same directory: %v", err)
	}
	expect.Error(t, expect.ErrorOf(Run(t.Context(), dir, p, "newer", readSmallTable, Options{})), "newer")
	path := p.cellPath(dir, p.Cells[0].Name)
	expect.NoError(t, os.Remove(path))
	changed := func(context.Context, experiment.Source, data.Protocol) (*data.Table, error) {
		return data.Friedman(120, 99), nil
	}
	expect.Error(t, expect.ErrorOf(Run(t.Context(), dir, p, testVersion, changed, Options{})), "changed")
}

// A cell keeps the scores by the measures that were registered when it was run, NaN and infinite scores included. A
// report has the measures of the cells.
func TestResultsOfOtherMeasures(t *testing.T) {
	dir, p, _ := runNewStudy(t, small, Options{})
	for _, c := range p.Cells {
		r, _, err := Load(dir, p, c)
		expect.NoError(t, err)
		scores := measure.Scores{{Measure: "ws", Score: math.Inf(1)}, {Measure: "mine", Score: math.NaN()}, {Measure: "rmse", Score: 2}}
		r.Test.Scores = scores
		if r.Train != nil {
			r.Train.Scores = scores
		}
		r.Loss = strict.Number(math.Inf(-1))
		expect.NoError(t, save(dir, p, c, r, nil))
		if back, state, err := Load(dir, p, c); state != Done || fmt.Sprint(back.Test.Scores, back.Loss) != fmt.Sprint(scores, r.Loss) {
			t.Fatalf("%v is read as %v, %v", scores, back.Test, err)
		}
	}
	c := collectOne(t, dir, p)
	for i, s := range c.Scores {
		want := []string{"ws +Inf", "mine NaN", "rmse 2"}[i%3]
		if got := fmt.Sprint(s.Measure, " ", s.Mean); got != want {
			t.Fatalf("score %d is %s; want %s", i, got, want)
		}
	}
}

// A directory in the place of a result is an error before any training.
func TestDirectoriesInTheWay(t *testing.T) {
	p := newTestPlan(t, small)
	for _, name := range []string{filepath.Join(cellsDir, p.Cells[3].Name+".json"), filepath.Join(predictionsDir, p.Cells[3].Name+".csv")} {
		dir := t.TempDir()
		expect.NoError(t, errors.Join(p.Write(dir), os.MkdirAll(filepath.Join(dir, name), 0o755)))
		if s, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{}); err == nil || !strings.Contains(err.Error(), name+" is a directory") || s.Done > 0 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// If several plans are written to one directory at the same time, one of them is written, and
// the others get an error.
func TestPlansAtTheSameTime(t *testing.T) {
	var plans []*Plan
	for seed := range uint64(8) {
		c := small
		c.Seeds = []uint64{seed}
		plans = append(plans, newTestPlan(t, c))
	}
	for range 5 {
		dir := t.TempDir()
		errs := make(chan error)
		for _, p := range plans {
			go func() { errs <- p.Write(dir) }()
		}
		written := 0
		for range plans {
			switch err := <-errs; {
			case err == nil:
				written++
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		}
		if _, err := ReadPlan(dir); err != nil || written != 1 {
			t.Errorf("%d plans were written: %v", written, err)
		}
	}
}

// The names of cells are valid file names for any name of a method.
func TestNamesOfMethods(t *testing.T) {
	c := small
	c.Methods = []string{"sml \n beta=0.25" + strings.Repeat("0", 300), "mc"}
	p := newTestPlan(t, c)
	if label := p.Config.Methods[0]; label != p.Cells[0].Label || strings.ContainsAny(label, "\n") || c.Methods[0] == label {
		t.Errorf("%q is called %q, in a cell %q", c.Methods[0], label, p.Cells[0].Label)
	}
	for _, cell := range p.Cells {
		if name := cell.Name + "." + termsSuffix; len(name) > 255 || strings.ContainsAny(name, " \n") {
			t.Errorf("a cell is called %q", name)
		}
	}
	c.Methods = []string{"sml beta=0.25", "sml  beta=0.25"}
	if err := c.Check(); err == nil {
		t.Error("one method by two names is none that is listed twice")
	}
}

func TestFailuresAreRecorded(t *testing.T) {
	hot := withoutSamples(small)
	hot.Methods, hot.Datasets = []string{"pu", "pu-de"}, []string{"aa"}
	hot.Settings = hot.Settings.merge(Settings{"batch": {"5000"}}) // of 120 rows
	dir, p, s := runNewStudy(t, hot, Options{})
	if s.Failed != 8 || len(s.Failures) != 8 || !strings.Contains(s.Failures[0], "a batch of 5000 rows") {
		t.Fatalf("%+v", s)
	}
	c := collectOne(t, dir, p)
	if len(c.Scores) == 0 {
		t.Error("a study that failed has no scores that say so")
	}
	for _, score := range c.Scores {
		if score.Folds == 0 || score.Failed != score.Folds || !math.IsNaN(score.Mean) {
			t.Errorf("%+v", score)
		}
	}
	again := 0
	count := Options{Progress: func(p Progress) { again = max(again, int(math.Round(p.Work*1e9))) }}
	if _, err := Run(t.Context(), dir, p, testVersion, readSmallTable, count); err != nil || again != 0 {
		t.Errorf("failed cells were run again unasked: %v", err)
	}
	count.RetryFailed = true
	if _, err := Run(t.Context(), dir, p, testVersion, readSmallTable, count); err != nil || again == 0 {
		t.Errorf("failed cells were not run again: %v", err)
	}
}

// collectOne collects the results of one study.
func collectOne(t *testing.T, dir string, p *Plan) Results {
	t.Helper()
	list, _, err := Collect([]Directory{{Dir: dir, Plan: p}})
	expect.NoError(t, err)
	return list[0]
}

func TestCollect(t *testing.T) {
	dir, p, _ := runNewStudy(t, small, Options{})
	c := collectOne(t, dir, p)
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
	rows, err := ReadPredictions(dir, p, p.Cells[0])
	if err != nil || rows.Len != 12 {
		t.Errorf("%v, %v; want the 12 predictions of a tenth", rows, err)
	}
	if terms, err := ReadLossTerms(dir, p, p.Cells[0]); err != nil || terms.Rows != 12 || terms.Samples != 5 {
		t.Errorf("terms of %d rows and %d sub-networks, %v", terms.Rows, terms.Samples, err)
	}
}

func TestPlanRejects(t *testing.T) {
	for want, c := range map[string]Config{
		"unknown preset":         {Preset: "huge"},
		"unknown method":         {Datasets: []string{"aa"}, Methods: []string{"lms"}},
		"unknown split":          {Datasets: []string{"aa"}, Splits: []string{"rows"}},
		"no fold 10":             {Datasets: []string{"aa"}, Fold: []int{10}},
		"protocol":               {Datasets: []string{"aa"}, Protocol: "quick"},
		"format \"xlsx\"":        {Datasets: []string{"aa"}, Predictions: "xlsx"},
		"cannot be read":         {Datasets: []string{"broken"}},
		"more than 100000 cells": {Datasets: []string{"aa"}, Methods: []string{"mc"}, Seeds: manySeeds(10_001)},
	} {
		expect.Error(t, expect.ErrorOf(NewPlan(t.Context(), c, testVersion, readSmallTable, false)), want)
	}
	some := small
	some.Datasets = []string{"aa", "absent"}
	if p, err := NewPlan(t.Context(), some, testVersion, readSmallTable, true); err != nil || !slices.Equal(p.MissingDatasets, []string{"absent"}) || len(p.Cells) != 12 {
		t.Errorf("skipping what is missing: %v", err)
	}
}

func manySeeds(n uint64) []uint64 {
	var list []uint64
	for seed := range n {
		list = append(list, seed)
	}
	return list
}

// ReadConfig refuses a configuration that may not mean what it looks like, with line, key and what would be right.
func TestReadConfigIsStrict(t *testing.T) {
	for text, want := range map[string]string{
		"? [a]\n: 1":                               "unknown key",
		"x: &a {epochs: 3}\n<<: *a":                "unknown key",
		"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b]":      "unknown key",
		"lr: -0.0":                                 "lr -0: it must be more than 0",
		"methods: [sml, ~]":                        `line 1: key "methods" has no value`,
		"datasets:":                                `key "datasets" has no value`,
		"methods: [[sml]]":                         `key "methods" is a list or a mapping; want a single value`,
		"epochs: 3\n---\n[":                        "line 3",
		"&a [1]":                                   "want a mapping",
		"fold: [0, 0.9]":                           `key "fold" is 0.9; want a whole number, in digits`,
		"seeds: [&a -0.5]\nbatch: *a":              `line 1: key "seeds" is -0.5; want a whole number, in digits`,
		"preset: &a beta\nseeds: *a":               `line 2: key "seeds" is beta; want a whole number, in digits`,
		"inner: 2.5":                               `line 1: key "inner" is 2.5; want a whole number, in digits`,
		"protocol: [paper]":                        `line 1: key "protocol" is a list or a mapping; want a single value`,
		"#" + strings.Repeat("x", maxConfigBytes):  "too large",
		strings.Repeat("- [", 100_000):             "",
		"tables:\n- {data: a, data: b}":            `line 2: key "data" of a table is repeated; line 2 has it already`,
		"tables:\n- {data: a, drop: []}":           `key "drop" of a table is an empty list`,
		"tables:\n- {data: a, weight: }":           `key "weight" of a table has no value`,
		"tables:\n- {data: a, extra: [{b: c}]}":    `line 2: key "extra" of a table is a list or a mapping; want a single value`,
		"tables:\n- {data: a, <<: {drop: b}}":      `unknown key "<<" of a table`,
		"tables:\n- {data: a, test-fraction: x}":   `line 2: key "test-fraction" of a table is x; want a number`,
		"tables:\n- {data: a, drop-duplicates: x}": `line 2: key "drop-duplicates" of a table is x; want true or false`,
		"tables:\n- [a]":                           "line 2: want a mapping of keys to values of a table",
	} {
		expect.Error(t, expect.ErrorOf(ReadConfig(strings.NewReader(text))), want)
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "fold: &f [0]\nseeds: *f\n", "epochs: 3\n...\n"} {
		if _, err := ReadConfig(strings.NewReader(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Fields that a configuration leaves empty come from the first preset and the data sets' recipes.
func TestDefaults(t *testing.T) {
	p := newTestPlan(t, Config{})
	if len(p.Cells) != 2*2*10 || p.Config.Preset != "first" {
		t.Fatalf("%d cells of preset %q", len(p.Cells), p.Config.Preset)
	}
	r := experiment.RecipeFor("aa", 120)
	if c := p.Cells[0]; c.Training.Epochs != r.Epochs || c.Training.Batch != r.Batch || c.Training.Protocol != data.Paper || c.Prediction.Samples != 200 || c.Prediction.Mode != "" {
		t.Errorf("%+v, %+v", c.Training, c.Prediction)
	}
	if c := newTestPlan(t, Config{Preset: "sub-networks"}).Cells[0]; c.Prediction.Mode != experiment.SubNetworkMode {
		t.Errorf("%+v", c.Prediction)
	}
}

// A prediction file has a line for each row and target. A target that is the double of another, plus a constant,
// has the same values in standardised units, up to rounding.
func TestPredictionsOfTwoTargets(t *testing.T) {
	c := small
	c.Datasets, c.Methods, c.Splits, c.Fold, c.Predictions = []string{"two-targets"}, []string{"sml"}, []string{"random"}, []int{0}, "csv"
	dir, p, _ := runNewStudy(t, c, Options{})
	rows := expect.Must(ReadPredictions(dir, p, p.Cells[0]))
	if rows.Len != 2*12 {
		t.Fatalf("%d lines, want 2 targets × 12 rows", rows.Len)
	}
	numbers, targets := rows.Numbers(predicted.Row), rows.Numbers(predicted.Target)
	truths, means := rows.Numbers(predicted.Truth), rows.Numbers(predicted.Mean)
	for i := 0; i < rows.Len; i += 2 {
		if numbers[i] != numbers[i+1] || targets[i] != 0 || targets[i+1] != 1 || math.Abs(truths[i]-truths[i+1]) > 1e-9 {
			t.Errorf("lines of row %v: targets %v and %v, values %v and %v", numbers[i], targets[i], targets[i+1], truths[i], truths[i+1])
		}
		if means[i] == means[i+1] {
			t.Errorf("row %v: two outputs of a network predict the same", numbers[i])
		}
	}
	terms, err := ReadLossTerms(dir, p, p.Cells[0])
	if err != nil || terms.Rows != 12 || terms.Samples != 5 {
		t.Errorf("terms of %d rows and %d sub-networks, want the 12 of the first target and all that were drawn (%v)", terms.Rows, terms.Samples, err)
	}
}

// writeLog writes a log of a study.
func writeLog(t *testing.T, dir, name, text string) {
	t.Helper()
	expect.NoError(t, os.MkdirAll(filepath.Join(dir, logsDir), 0o777))
	expect.NoError(t, os.WriteFile(filepath.Join(dir, logsDir, name), []byte(text), 0o644))
}

// Time of several cells counts once; an incomplete line and impossible times are skipped.
func TestReadTimes(t *testing.T) {
	dir := t.TempDir()
	writeLog(t, dir, "a-7-1.jsonl", `{"time":"2026-01-02T10:00:10Z","worker":0,"seconds":10,"host":"a","cpu":"fast","cores":2}
{"time":"2026-01-02T10:00:30Z","worker":1,"seconds":25,"host":"a","cpu":"fast","cores":2}
{"time":"2026-01-02T10:00:10Z","process":7,"seconds":1e300}
{"time":"2026-01-02T10:00:10Z","process":7,"seconds":-1e18}
{"time":"2026-01-03T10:0`)
	writeLog(t, dir, "b-7-2.jsonl", `{"time":"2026-01-03T10:00:05Z","worker":0,"seconds":5,"host":"b","cpu":"slow","cores":4}
`)
	times := expect.Must(ReadTimes(dir))
	if times.Wall != 35*time.Second || times.First.Day() != 2 || times.Last.Day() != 3 {
		t.Errorf("%+v, want 30 s on one day and 5 s on the next", times)
	}
	if len(times.Machines) != 2 || times.Machines[0].CPU != "fast" || times.Machines[1].Cores != 4 {
		t.Errorf("machines %+v", times.Machines)
	}
}

// Files that are larger than a study's files can be are refused before they are read.
func TestFilesAreBounded(t *testing.T) {
	c := small
	c.Datasets, c.Methods, c.Splits, c.Fold = []string{"aa"}, []string{"mc"}, []string{"random"}, []int{0}
	dir, p, _ := runNewStudy(t, c, Options{})
	kept := filepath.Join(dir, predictionsDir, p.Cells[0].Name+".csv")
	for _, path := range []string{kept, p.cellPath(dir, p.Cells[0].Name)} {
		text := expect.Must(os.ReadFile(path))
		expect.NoError(t, os.Truncate(path, 1<<40))
		if s := Status(dir, p); s.Broken != 1 || !strings.Contains(s.Breaks[0], "too large") {
			t.Errorf("%s: %+v", path, s)
		}
		expect.NoError(t, os.WriteFile(path, text, 0o644))
	}
	logs := expect.Must(os.ReadDir(filepath.Join(dir, logsDir)))
	expect.NoError(t, os.Truncate(filepath.Join(dir, logsDir, logs[0].Name()), 1<<40))
	expect.Error(t, expect.ErrorOf(ReadTimes(dir)), "too large")
	expect.NoError(t, os.Truncate(filepath.Join(dir, planFile), 1<<40))
	expect.Error(t, expect.ErrorOf(ReadPlan(dir)), "too large")
}

// A plan that was edited is refused.
func TestChangedPlan(t *testing.T) {
	text := string(mustJSON(encodePlan(newTestPlan(t, small))))
	const changed = "has been changed since it was w"
	for _, edit := range []struct{ old, new, want string }{
		{`"format":6`, `"format":4`, "the plan has format 4"},
		{`"missing_datasets":[]`, `"missing_datasets":["x"]`, changed},
		{`"epochs":2`, `"epochs":3`, changed},
		{`"methods":[`, `"methods":["mc",`, changed},
		{text, text + "{}", "after top-level value"},
	} {
		edited := strings.Replace(text, edit.old, edit.new, 1)
		if edited == text {
			t.Fatalf("there is no %s in the plan", edit.old)
		}
		expect.Error(t, expect.ErrorOf(decodePlan([]byte(edited))), edit.want)
	}
}

// Every configuration that can be read resolves or is refused with an error, and has no
// more cells than a plan can hold.
func FuzzConfig(f *testing.F) {
	f.Add("preset: beta\ndatasets: [aa, bbb]\nmethods: [mc, \"sml beta=0.25\"]\nsplits: [random]\nfold: [0, 1]\nseeds: [1]\nprotocol: sound\nepochs: 2\nbatch: 10\nlr: 0.01\nwidth: 5\nsamples: 3\npredictions: csv\n")
	f.Add("fold: &a [0]\nseeds: *a\n---\n")
	f.Add("tables:\n- a.csv\n- {data: b.csv, name: b, target: [u, v], drop: w, extra: e, weight: c, header: no, categorical: k, numeric: [n], date: d=dd/mm/yyyy, ordinal: \"cut=Fair,Good\", missing: drop, transform: log, splits: label}\n" +
		"dropout: [0, 0.1]\nhidden: [\"50,50\", \"\"]\nactivation: [relu, tanh]\nnetwork: mlp\nlr: [0.1, 0.01]\nepochs: [1, 2]\noptimizer: [adam, sgd momentum=0.5]\nval: 0.1\npatience: [0, 5]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadConfig(strings.NewReader(text))
		if err != nil {
			return
		}
		resolved, err := c.resolve()
		if err != nil {
			return
		}
		outside := func(key string, low, high float64) bool {
			return slices.ContainsFunc(resolved.Settings[key], func(text string) bool {
				v, err := strconv.ParseFloat(text, 64)
				return err != nil || !(v >= low && v <= high)
			})
		}
		if outside("width", 1, 1<<16) || outside("lr", math.SmallestNonzeroFloat64, math.MaxFloat64) || len(resolved.Methods) == 0 {
			t.Errorf("%q became %+v", text, resolved)
		}
		names := make(map[string]bool)
		for _, in := range resolved.tables() {
			if filepath.Base(in.name) != in.name && in.source.Prepared() || names[in.name] {
				t.Errorf("%q has a table called %q", text, in.name)
			}
			names[in.name] = true
		}
	})
}
