package cmd

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"sml/data/safefile"
)

// kills is how often the study is killed; the long test asks for more.
func kills() int {
	if os.Getenv("SML_LONG") != "" {
		return 20
	}
	return 3
}

// A study that is killed again and again, at any moment, ends with the same
// bytes as one that is left alone.
func TestKilledStudy(t *testing.T) {
	run := func(args ...string) error {
		out, err := exec.Command("sml", args...).CombinedOutput()
		if err != nil {
			t.Logf("%s", out)
		}
		return err
	}
	plan := func(dir string) {
		if err := run("study", "plan", dir, "--preset", "quick", "--epochs", "40", "--save-predictions", "csv"); err != nil {
			t.Fatal(err)
		}
	}
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "killed")
	plan(whole)
	start := time.Now()
	if err := run("study", "run", whole, "--quiet"); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	plan(dir)
	r := rand.New(rand.NewPCG(1, 1))
	for range kills() {
		c := exec.Command("sml", "study", "run", dir, "--quiet")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Float64() * 2 / float64(kills()) * float64(took))) // one run's time in all
		c.Process.Kill()                                                              // an error says that it has ended by itself
		c.Wait()
	}
	if err := run("study", "run", dir, "--quiet"); err != nil {
		t.Fatal(err)
	}
	x, y := studyFiles(t, whole), studyFiles(t, dir)
	if len(x) != len(y) {
		t.Errorf("%d files, want %d", len(y), len(x))
	}
	for name := range x {
		if !bytes.Equal(x[name], y[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// studyFiles reads a study but for its log and what was being written when
// its writer was killed.
func studyFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "log.jsonl" || safefile.IsAside(d.Name()) {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
