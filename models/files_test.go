package models_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/internal/rowset"
	"sml/internal/safefile"
	"sml/models"
	_ "sml/models/methods"
)

func example(t testing.TB) *models.Model {
	t.Helper()
	s := expect.Must(models.NewSpec("sml-de", models.Hyperparameters{"beta": 0.25}, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{3}, Activation: "relu", Dropout: 0.1}))
	m := &models.Model{
		Spec: s, Inputs: data.Scalers{{Name: "a", Mean: 1, Std: 2}, {Name: "b, or \"so\"", Mean: -3, Std: 0.5}}, Targets: data.Scalers{{Name: "y", Std: 1}},
		Training: json.RawMessage(`{"seed":7}`), Parent: &models.Parent{Model: "../first", Weights: strings.Repeat("0", 64)},
		EndReasons:   []string{"", "low enough"},
		TrainingRows: rowset.New([]uint64{5, 3, 5}),
		History:      models.History{Columns: []string{"loss", "validation loss"}, Rows: []models.Epoch{{0, 1, []float64{0.5, math.Inf(-1)}}, {0, 2, []float64{0.25, 1e-9}}}},
	}
	m.Members = []*graph.Params{expect.Must(s.NewParams(0)), expect.Must(s.NewParams(1))}
	return m
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	content := make(map[string]string)
	for _, e := range expect.Must(os.ReadDir(dir)) {
		content[e.Name()] = string(expect.Must(os.ReadFile(filepath.Join(dir, e.Name()))))
	}
	return content
}

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "model")
	m := example(t)
	m.CalibrationRows = keptRows(t)
	expect.NoError(t, m.Save(dir, false))
	got := expect.Must(models.Load(dir))
	for k, p := range m.Members {
		for i, v := range p.Float32s() {
			if got.Members[k].Float32s()[i] != v {
				t.Fatalf("weight %d of member %d is %v, want %v", i, k, got.Members[k].Float32s()[i], v)
			}
		}
	}
	if !slices.Equal(got.EndReasons, m.EndReasons) {
		t.Errorf("the trainings ended for the reasons %q, want %q", got.EndReasons, m.EndReasons)
	}
	again := filepath.Join(t.TempDir(), "again")
	got.History = m.History
	got.CalibrationRows = expect.Must(models.LoadCalibrationRows(dir))
	var err error
	if got.TrainingRows, err = models.LoadTrainingRows(dir); err != nil || got.TrainingRows.Rows() != 3 {
		t.Errorf("training rows %+v, %v", got.TrainingRows, err)
	}
	expect.NoError(t, got.Save(again, false))
	first, second := files(t, dir), files(t, again)
	if len(first) != 6 || len(expect.Must(models.Files(dir))) != 6 {
		t.Errorf("a model has the files %v", first)
	}
	for name := range first {
		if first[name] != second[name] {
			t.Errorf("%s differs after loading and saving:\n%s\n%s", name, first[name], second[name])
		}
	}
	h, err := models.LoadHistory(dir)
	if err != nil || len(h.Rows) != 2 || h.Columns[1] != "validation loss" || h.Rows[1].Values[1] != 1e-9 || !math.IsNaN(h.Rows[0].Values[1]) {
		t.Errorf("history %+v, %v", h, err)
	}
	if sum, err := m.WeightsSum(); err != nil || !slices.Equal(expect.Must(safefile.ReadManifest(dir))[models.WeightsFile], []string{sum}) {
		t.Errorf("the sum of the weights is %s, %v, and another in the manifest", sum, err)
	}
	if want := "member,epoch,loss,validation loss\n0,1,0.5,\n0,2,0.25,1e-09\n"; first[models.HistoryFile] != want {
		t.Errorf("history %q, want %q", first[models.HistoryFile], want)
	}
}

// A save that fails leaves nothing behind.
func TestFailedSave(t *testing.T) {
	parent := t.TempDir()
	m := example(t)
	named := *m
	named.Targets = data.Scalers{{Name: "a", Std: 1}}
	if err := named.Save(filepath.Join(parent, "named"), false); err == nil {
		t.Error("a model was saved that Load refuses") // a target named like an input
	}
	m.Training = json.RawMessage("{") // cannot be encoded
	if err := m.Save(filepath.Join(parent, "broken"), false); err == nil {
		t.Error("a broken model was saved")
	}
	if entries, _ := os.ReadDir(parent); len(entries) != 0 {
		t.Errorf("a failed save left something behind: %v", entries)
	}
}

// Weights of another model fit if they have the same shape. They are refused, unless the caller accepts changed files.
func TestChanged(t *testing.T) {
	dir, other := filepath.Join(t.TempDir(), "model"), filepath.Join(t.TempDir(), "other")
	m := example(t)
	expect.NoError(t, m.Save(dir, false))
	m.Members[0].Float32s()[0]++
	expect.NoError(t, m.Save(other, false))
	if _, changed, err := models.LoadChanged(dir); err != nil || len(changed) > 0 {
		t.Errorf("%v, %v", changed, err)
	}
	weights := filepath.Join(dir, models.WeightsFile)
	expect.NoError(t, os.WriteFile(weights, []byte(files(t, other)[models.WeightsFile]), 0o644))
	if _, err := models.Load(dir); !errors.Is(err, models.ErrChanged) || !strings.Contains(err.Error(), weights) {
		t.Errorf("got %v; want %s and %v", err, weights, models.ErrChanged)
	}
	if _, changed, err := models.LoadChanged(dir); err != nil || !slices.Equal(changed, []string{weights}) {
		t.Errorf("%v, %v", changed, err)
	}
}

func TestLoadRejects(t *testing.T) {
	text, weights := contents(t, example(t))
	for name, c := range map[string]struct {
		edit func(string) string
		cut  int
		want string
	}{
		"unknown method":  {edit: replace(`"method": "sml-de"`, `"method": "lms"`), want: "unknown method"},
		"unknown network": {edit: replace(`"architecture": {`, `"architecture": {"network": "lstm",`), want: `unknown network "lstm"; want one of mlp`},
		"many weights": {edit: replace(`"hidden": [
      3`, `"hidden": [
      65536,
      65536`), want: "at most 268435456"},
		"negative beta":     {edit: replace(`"beta": 0.25`, `"beta": -3`), want: "beta=-3 is out of range: want 0 to 1000000"},
		"many members":      {edit: replace(`"members": 2`, `"members": 1000000000000`), want: "want 1 to 1000"},
		"more members":      {edit: replace(`"members": 2`, `"members": 3`), want: "members"},
		"missing input":     {edit: replace(`"inputs": 2`, `"inputs": 3`), want: "inputs"},
		"missing setting":   {edit: replace(`"alpha": 1,`, ``), want: "hyperparameters"},
		"weights cut short": {cut: 4, want: "weights.safetensors"},
		"no weights":        {cut: len(weights), want: "cut short"},
	} {
		edited := text
		if c.edit != nil {
			edited = []byte(c.edit(string(text)))
			if bytes.Equal(edited, text) {
				t.Fatalf("%s: nothing was edited in\n%s", name, text)
			}
		}
		_, err := models.Decode(edited, weights[:len(weights)-c.cut], nil)
		expect.Error(t, err, c.want)
	}
	if _, err := models.Load(filepath.Join(t.TempDir(), "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("loading nothing: %v", err)
	}
}

func replace(old, new string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, new, 1) }
}

func contents(t testing.TB, m *models.Model) (text, weights []byte) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, m.Save(dir, false))
	return expect.Must(os.ReadFile(filepath.Join(dir, models.ModelFile))), expect.Must(os.ReadFile(filepath.Join(dir, models.WeightsFile)))
}

// No edited file, as LoadChanged reads it, makes it crash, and no accepted model has an empty parameter.
func FuzzModel(f *testing.F) {
	text, weights := contents(f, example(f))
	f.Add(text, weights, []byte{})
	f.Add(text, weights[:len(weights)-1], weights)
	f.Add([]byte(`{"format":1}`), []byte{8, 0, 0, 0, 0, 0, 0, 0, '{', '}', ' ', ' ', ' ', ' ', ' ', ' '}, []byte{})
	storing := storingExample(f)
	text, weights = contents(f, storing)
	stored := storedContent(f, storing)
	f.Add(text, weights, stored)
	f.Add(text, weights, stored[:len(stored)-1])
	f.Fuzz(func(t *testing.T, text, weights, stored []byte) {
		m, err := models.Decode(text, weights, stored)
		if err != nil {
			return
		}
		for _, p := range m.Members {
			for i := range p.List() {
				if len(graph.ParamValues(p, p.Float32s(), i)) == 0 {
					t.Fatal("an empty parameter was accepted")
				}
			}
		}
	})
}

// No two members and seeds have the same masks.
func TestMaskSeeds(t *testing.T) {
	m := new(models.Model)
	seen := make(map[uint64]bool)
	for _, seed := range []uint64{0, 1, 1 << 32, 1<<32 + 1, 2 << 32} {
		for member := range 5 {
			seen[m.MaskSeed(seed, member)] = true
		}
	}
	if len(seen) != 25 {
		t.Errorf("25 members of 5 seeds have %d seeds of masks", len(seen))
	}
}

// load returns the error of reading a file of the model in dir.
func load(dir, name string) error {
	switch name {
	case models.HistoryFile:
		return expect.ErrorOf(models.LoadHistory(dir))
	case models.RowsFile:
		return expect.ErrorOf(models.LoadTrainingRows(dir))
	case models.CalibrationRowsFile:
		return expect.ErrorOf(models.LoadCalibrationRows(dir))
	}
	return expect.ErrorOf(models.Load(dir))
}

// Files too large for the model are refused before they are read, and the error names the largest possible size.
// Changed or removed rows are an error.
func TestFilesAreChecked(t *testing.T) {
	for _, name := range []string{models.ModelFile, models.WeightsFile, models.HistoryFile, models.RowsFile, models.CalibrationRowsFile} {
		dir := filepath.Join(t.TempDir(), "model")
		m := example(t)
		m.CalibrationRows = keptRows(t)
		expect.NoError(t, m.Save(dir, false))
		path := filepath.Join(dir, name)
		if name == models.RowsFile || name == models.CalibrationRowsFile {
			form := expect.Must(os.ReadFile(path))
			form[len(form)-1] ^= 1
			expect.NoError(t, os.WriteFile(path, form, 0o666))
			expect.Error(t, load(dir, name), name, "has been changed since it was written")
		}
		if err := os.Truncate(path, 1<<40); err != nil {
			t.Skip("no sparse files here:", err)
		}
		if err := load(dir, name); !errors.Is(err, safefile.ErrTooLarge) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s of a terabyte: %v", name, err)
		}
		expect.NoError(t, os.Remove(path))
		if err := load(dir, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is gone: %v", name, err)
		}
	}
}

// A model that was saved without training rows and calibration rows has none.
func TestModelWithoutRows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	m := example(t)
	m.TrainingRows = nil
	expect.NoError(t, m.Save(dir, false))
	if rows, err := models.LoadTrainingRows(dir); rows != nil || err != nil {
		t.Errorf("training rows %v, %v", rows, err)
	}
	if rows, err := models.LoadCalibrationRows(dir); rows != nil || err != nil {
		t.Errorf("calibration rows %v, %v", rows, err)
	}
}

// The bound of the weights' file follows from model.json: a file that has a
// few bytes more than its tensors need is read, and found to be wrong.
func TestWeightsSize(t *testing.T) {
	m := example(t)
	_, weights := contents(t, m)
	limit := models.WeightsSize(m.Members[0], 2)
	if int64(len(weights)) > limit || limit > int64(len(weights))+2<<20 {
		t.Errorf("weights of %d bytes are bounded by %d", len(weights), limit)
	}
}

// keptRows returns three calibration rows of two features, one score and a weight.
func keptRows(t *testing.T) *models.CalibrationRows {
	t.Helper()
	return expect.Must(models.NewCalibrationRows(3, []float64{1, 2, 3, 4, 5, 6}, []float64{0.5, 1, 1.5}, []float64{2, 0.5, 0.5}))
}

// However many features a row has, the rows take 8 MiB of float32 at most.
func TestMaxCalibrationRows(t *testing.T) {
	for features, want := range map[int]int{5: 4096, 511: 4096, 1023: 2048, 1 << 16: 31} { // min(4096, 2²¹/(features + 1)), by hand
		if got := models.MaxCalibrationRows(features, 1); got != want {
			t.Errorf("%d features: %d rows, want %d", features, got, want)
		}
	}
}
