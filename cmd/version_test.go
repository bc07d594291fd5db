package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sml/internal/expect"
)

// buildID agrees with "go tool buildid" about this program on Linux, and finds nothing in the files of other systems. A file
// without a program has no build ID, and a program with a chosen ID is identified by its checksum.
func TestBuildID(t *testing.T) {
	path := expect.Must(os.Executable())
	want := ""
	if runtime.GOOS == "linux" {
		want = strings.TrimSpace(string(expect.Must(exec.Command("go", "tool", "buildid", path).Output())))
	}
	if got := buildID(path); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	program := string(readFile(t, path))
	changed := strings.Replace(program, want, strings.Repeat("x", len(want)), 1)
	chosen := filepath.Join(t.TempDir(), "program")
	writeFile(t, chosen, changed)
	for _, path := range []string{chosen, "version.go", t.TempDir(), "missing"} {
		if id := buildID(path); id != "" {
			t.Errorf("%s: %q, want none", path, id)
		}
	}
}
