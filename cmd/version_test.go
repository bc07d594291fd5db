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

// buildID agrees with "go tool buildid" about this program. A file that is no program has none, and a program with a chosen ID
// is identified by its checksum.
func TestBuildID(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the build ID is read from files of Linux")
	}
	path := expect.Must(os.Executable())
	want := expect.Must(exec.Command("go", "tool", "buildid", path).Output())
	if got := buildID(path); got == "" || got != strings.TrimSpace(string(want)) {
		t.Errorf("%q, want %q", got, want)
	}
	changed := strings.Replace(string(readFile(t, path)), buildID(path), strings.Repeat("x", len(buildID(path))), 1)
	chosen := filepath.Join(t.TempDir(), "program")
	writeFile(t, chosen, changed)
	for _, path := range []string{chosen, "version.go", t.TempDir(), "missing"} {
		if id := buildID(path); id != "" {
			t.Errorf("%s: %q, want none", path, id)
		}
	}
}
