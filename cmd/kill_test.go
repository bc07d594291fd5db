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
	skipIfShort(t)
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
