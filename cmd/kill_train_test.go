//go:build unix

package cmd

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"sml/internal/expect"
	"sml/internal/safefile"
	"sml/models"
)

// toResume is the script of docs/howto/resume.md, with the arguments of a training
// that follow --out m.
func toResume(arguments string) string {
	return `if [ -d m/checkpoint ]; then sml train --quiet --resume --out m; elif [ ! -e m/model.json ]; then sml train --quiet --out m ` + arguments + `; fi`
}

// A training that is killed again and again, at any moment, and started again
// by a script, ends with the same model as one that is left alone; and so does
// one that replaces a model, of which nothing is lost until then. Every second
// kill follows a SIGTERM, so that it hits the writing of a checkpoint.
func TestKilledTraining(t *testing.T) {
	skipIfShort(t)
	shell := func(dir, script string) *exec.Cmd {
		c := exec.Command("sh", "-c", script)
		c.Dir = dir
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to kill the shell with its program
		return c
	}
	arguments := "--data friedman --split random --epochs 40 --hidden 8 --members 4 --bins 0" // half a second
	whole := t.TempDir()
	start := time.Now()
	if out, err := shell(whole, toResume(arguments)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(start)
	want := modelFiles(t, filepath.Join(whole, "m"))
	r := rand.New(rand.NewPCG(2, 2))
	kills, unfinished := 30, 0 // unfinished counts the kills that left a checkpoint
	if os.Getenv("SML_LONG") != "" {
		kills = 200
	}
	for round := range 3 {
		dir := t.TempDir()
		m := filepath.Join(dir, "m")
		script := toResume(arguments)
		replaces := round == 2
		if replaces {
			if out, err := shell(dir, "sml train --data friedman --epochs 1 --hidden 8 --out m").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			script = `if [ -d m/checkpoint ]; then sml train --quiet --resume --out m; else sml train --quiet --force --out m ` + arguments + `; fi`
		}
		for kill := range kills / 3 {
			c := shell(dir, script)
			expect.NoError(t, c.Start())
			time.Sleep(time.Duration(r.Float64() * 1.1 * float64(took)))
			if kill%2 == 1 {
				syscall.Kill(-c.Process.Pid, syscall.SIGTERM)
				time.Sleep(time.Duration(r.Float64() * float64(20*time.Millisecond)))
			}
			syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // an error says that it has ended by itself
			c.Wait()
			isUnfinished := fileExists(checkpointDir(m))
			isModel := fileExists(filepath.Join(m, "model.json"))
			if isUnfinished {
				unfinished++
			}
			if _, err := models.Load(m); err != nil && (replaces || isModel) {
				t.Errorf("round %d: the former model is gone, or a new one is incomplete: %v", round, err)
			}
			if isModel && !replaces { // the training was complete: begin another one
				sameModelFiles(t, want, m)
				expect.NoError(t, os.RemoveAll(m))
			}
		}
		for range 2 { // the second has nothing to do
			if out, err := shell(dir, script).CombinedOutput(); err != nil {
				t.Fatalf("round %d: %v\n%s", round, err, out)
			}
		}
		sameModelFiles(t, want, m)
		entries := expect.Must(os.ReadDir(dir))
		// What was being written and a lock that nobody has may be left.
		if i := slices.IndexFunc(entries, func(e fs.DirEntry) bool {
			return e.Name() != "m" && e.Name() != "m"+lockSuffix && !safefile.IsTemporary(e.Name())
		}); i >= 0 {
			t.Errorf("round %d: %s is left", round, entries[i].Name())
		}
	}
	t.Logf("%d of %d kills left a checkpoint", unfinished, kills)
}

// sameModelFiles fails unless the model in a folder has the wanted files.
func sameModelFiles(t *testing.T, want map[string][]byte, dir string) {
	t.Helper()
	checkFiles(t, want, modelFiles(t, dir))
}

func modelFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := studyFiles(t, dir)
	if len(files) != 6 { // with the calibration rows
		t.Errorf("%s has %d files", dir, len(files))
	}
	return files
}
