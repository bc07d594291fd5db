package main

import (
	"os"
	"path/filepath"
	"testing"

	"sml/cmd"
	"sml/models"
	"sml/trainers/check"
)

// Each objective passes the checks; the student with a teacher that was trained before.
func TestFurtherObjectives(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, method := range []string{"smooth", "tobit", "three-classes", "vicreg", "sam", "mixup"} {
		t.Run(method, func(t *testing.T) { check.Test(t, method, nil) })
	}
	table, teacher := filepath.Join(t.TempDir(), "f.csv"), filepath.Join(t.TempDir(), "teacher")
	rows := "a,b,c,y\n"
	for _, row := range []string{"1,2,0.5,1", "0.3,-1,2,2", "-1,0.2,0.1,0", "2,1,-1,3", "0.5,0.4,0.3,1.5"} {
		rows += row + "\n"
	}
	if err := os.WriteFile(table, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	if code := cmd.Run(t.Context(), []string{"sml", "train", "--data", table, "--method", "de", "--members", "1", "--epochs", "3", "--batch", "5", "--quiet", "--out", teacher}, nil, os.Stderr, os.Stderr); code != 0 {
		t.Fatal(code)
	}
	r, err := check.Method("student", check.Settings{Hyperparameters: models.Hyperparameters{"teacher": teacher}, Targets: 1, Seed: 1}) // as many as the teacher has
	if err != nil || !r.Passed() {
		t.Errorf("%v\n%s", err, r)
	}
}
