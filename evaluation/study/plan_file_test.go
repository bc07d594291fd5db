package study

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/models"
	"sml/models/methods"
)

// A plan is read as it was made.
func TestPlanFile(t *testing.T) {
	p, dir := newTestPlan(t, small), t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	back, err := ReadPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range back.Cells {
		if want := p.Cells[i]; c.Name != want.Name || c.Hash != want.Hash || c.Cost != want.Cost || c.Cell.hash() != want.Hash {
			t.Errorf("cell %+v is read as %+v", want, c)
		}
	}
}

// The files of a large study are spread over folders.
func TestFolders(t *testing.T) {
	c := small
	c.Methods, c.Datasets, c.Fold, c.Splits, c.Predictions = []string{"pu"}, []string{"aa"}, []int{0}, []string{"random"}, "csv"
	for seed := range uint64(maxCellsPerFolder + 1) {
		c.Seeds = append(c.Seeds, seed)
	}
	p := newTestPlan(t, c)
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	s, err := Run(t.Context(), dir, p, testVersion, readSmallTable, Options{Shard: Shard{3, 50}})
	if err != nil || s.Cells < 19 || s.Cells > 22 || s.Done != s.Cells {
		t.Fatalf("%+v, %v", s, err)
	}
	if s := Status(dir, p); s.Done < 19 || s.Done > 22 || s.Broken+s.Failed != 0 {
		t.Errorf("%+v", s)
	}
	files := readStudyFiles(t, dir)
	if len(files) != 1+2*s.Done {
		t.Errorf("%d files", len(files))
	}
	for name := range files {
		parts := strings.Split(name, string(filepath.Separator))
		if name == planFile {
			continue
		}
		if len(parts) != 3 || len(parts[1]) != 2 || !strings.Contains(parts[2], "--"+parts[1]) {
			t.Errorf("a file is %s", name)
		}
	}
	some := slices.IndexFunc(p.Cells, func(c PlannedCell) bool { return isDone(dir, p, c) })
	if _, err := ReadPredictions(dir, p, p.Cells[some]); err != nil {
		t.Error(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, cellsDir, "zz")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := replaceFile(dir, filepath.Join(dir, cellsDir, "zz", "x.json"), nil); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("a file through a link: %v", err)
	}
}

// A method may have words that are paths, and schedules, in names of files.
func TestLabelsWithPaths(t *testing.T) {
	models.Register(models.Method{
		Name: "pupil", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork,
		Hyperparameters: []models.Hyperparameter{{Name: "teacher", Default: ""}, {Name: "trust", Default: "linear(0,1,0.5)"}},
	})
	c := small
	c.Methods, c.Datasets, c.Splits = []string{"pupil teacher=../models/a trust=cosine(0,1,0.2)", "pupil teacher=../models/b trust=0.3"}, []string{"aa"}, []string{"random"}
	dir, p, s := runNewStudy(t, c, Options{})
	if s.Done != len(p.Cells) || s.Done == 0 {
		t.Fatalf("%+v", s)
	}
	if _, err := ReadPlan(dir); err != nil {
		t.Error(err)
	}
}
