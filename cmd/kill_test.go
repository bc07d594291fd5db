package cmd

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sml/internal/expect"
	"sml/internal/safefile"
)

// kills is how often the study is killed; the long test asks for more.
func kills() int {
	if os.Getenv("SML_LONG") != "" {
		return 20
	}
	return 3
}

// execSML runs the program in a process of its own. The test fails if the program does.
func execSML(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("sml", args...).CombinedOutput(); err != nil {
		t.Fatalf("sml %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// sameFiles fails unless two folders have the same files, but for logs.
func sameFiles(t *testing.T, whole, dir string) {
	t.Helper()
	checkFiles(t, studyFiles(t, whole), studyFiles(t, dir))
}

// checkFiles fails unless there are the wanted files, by their names.
func checkFiles(t *testing.T, want, got map[string][]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for name, text := range want {
		if !bytes.Equal(got[name], text) {
			t.Errorf("%s differs:\n%.300s\n%.300s", name, got[name], text)
		}
	}
}

// Three directories, each with a shard of a study and two runs that share it, whose runs
// are killed again and again, come together to the bytes of the study that is left alone.
func TestKilledShards(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	kills, epochs := 6, "40"
	if os.Getenv("SML_LONG") != "" {
		kills, epochs = 25, "100"
	}
	parent := t.TempDir()
	at := func(name string) string { return filepath.Join(parent, name) }
	execSML(t, "study", "plan", at("whole"), "--preset", "quick", "--epochs", epochs, "--save-predictions", "csv")
	start := time.Now()
	execSML(t, "study", "run", at("whole"), "--quiet")
	took := time.Since(start)

	own := []string{at("1"), at("2"), at("3")}
	begin := func(i int) *exec.Cmd {
		c := exec.Command("sml", "study", "run", at("whole"), "--shard", fmt.Sprintf("%d/3", i/2+1), "--out", own[i/2], "--jobs", fmt.Sprint(1+i%2), "--quiet")
		expect.NoError(t, c.Start())
		return c
	}
	var runs []*exec.Cmd
	for i := range 6 {
		runs = append(runs, begin(i))
	}
	r := rand.New(rand.NewPCG(2, 1))
	killed := 0
	for range kills {
		time.Sleep(time.Duration(r.Float64() * 2 / float64(kills) * float64(took))) // one run's time in all
		i := r.IntN(len(runs))
		if runs[i].Process.Kill() == nil && runs[i].Wait() != nil {
			killed++
		}
		runs[i] = begin(i)
	}
	for _, c := range runs {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d of %d runs were killed before they ended", killed, kills)
	execSML(t, append([]string{"study", "collect", at("all")}, own...)...)
	sameFiles(t, at("whole"), at("all"))
	for _, dir := range own {
		for _, folder := range []string{"claims", "checkpoints"} {
			if _, err := os.Stat(filepath.Join(dir, folder)); err == nil {
				t.Errorf("%s has %s left", dir, folder)
			}
		}
	}
}

// A collection killed again and again, at any moment, and then repeated writes the same
// bytes as an undisturbed collection, the log included.
func TestKilledCollect(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	parent := t.TempDir()
	at := func(name string) string { return filepath.Join(parent, name) }
	// Many small cells, so that copying them takes longer than the program's start.
	execSML(t, "study", "plan", at("grid"), "--preset", "quick", "--datasets", "friedman", "--methods", "mc", "--fold", "0",
		"--seeds", seedsUpTo(100), "--epochs", "1", "--width", "2", "--samples", "2", "--save-predictions", "csv")
	collect := []string{"study", "collect", at("all")}
	for share := 1; share <= 2; share++ {
		own := at(fmt.Sprint(share))
		execSML(t, "study", "run", at("grid"), "--shard", fmt.Sprintf("%d/2", share), "--out", own, "--quiet")
		collect = append(collect, own)
	}
	start := time.Now()
	execSML(t, collect...)
	took := time.Since(start)
	expect.NoError(t, os.Rename(at("all"), at("whole")))
	wantLog := readLogs(t, at("whole"))

	r := rand.New(rand.NewPCG(3, 1))
	interrupted := 0
	for range kills() {
		for range 4 {
			c := exec.Command("sml", collect...)
			expect.NoError(t, c.Start())
			time.Sleep(time.Duration(r.Float64() * float64(took)))
			c.Process.Kill() // an error says that it has ended by itself
			c.Wait()
			if cells, _ := filepath.Glob(filepath.Join(at("all"), "cells", "*.json")); len(cells) > 0 && len(cells) < 100 {
				interrupted++
			}
		}
		execSML(t, collect...)
		sameFiles(t, at("whole"), at("all"))
		if log := readLogs(t, at("all")); !bytes.Equal(log, wantLog) {
			t.Errorf("the log has %d lines, want %d, or they differ", bytes.Count(log, []byte("\n")), bytes.Count(wantLog, []byte("\n")))
		}
		expect.NoError(t, os.RemoveAll(at("all")))
	}
	t.Logf("after %d kills some cells were there and others were not", interrupted)
}

// seedsUpTo lists the seeds from 1 to n, with commas between.
func seedsUpTo(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(i+1))
	}
	return strings.Join(list, ",")
}

// readLogs returns the logs of a study, one after the other.
func readLogs(t *testing.T, dir string) []byte {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, "log", "*.jsonl"))
	var text []byte
	for _, path := range paths {
		text = append(text, readFile(t, path)...)
	}
	return text
}

// studyFiles reads a study except its log and directories that were being written when their
// writer was killed.
func studyFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && safefile.IsTemporary(d.Name()) {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || strings.HasSuffix(d.Name(), ".jsonl") {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name], err = os.ReadFile(path)
		return err
	})
	expect.NoError(t, err)
	return files
}
