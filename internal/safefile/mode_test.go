//go:build unix

package safefile

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"sml/internal/expect"
)

// New files and directories follow the umask, and replaced ones keep their permissions.
func TestModes(t *testing.T) {
	before := syscall.Umask(0o027)
	defer syscall.Umask(before)
	mode := func(path string, want fs.FileMode) {
		t.Helper()
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v (%v)", path, info.Mode().Perm(), want, err)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	expect.NoError(t, Write(path, writing("x")))
	mode(path, 0o640)
	for _, m := range []fs.FileMode{0o600, 0o666, 0o444} {
		os.Chmod(path, m)
		for _, put := range []func() error{func() error { return Write(path, writing("y")) }, func() error { return Replace(path, writing("y")) }} {
			expect.NoError(t, put())
			mode(path, m)
		}
	}
	dir := filepath.Join(t.TempDir(), "deep", "dir")
	expect.NoError(t, WriteDir(dir, own, fill("x")))
	mode(filepath.Dir(dir), 0o750)
	mode(dir, 0o750)
	mode(filepath.Join(dir, "file"), 0o640)
	os.Chmod(dir, 0o700)
	os.Chmod(filepath.Join(dir, "file"), 0o604)
	expect.NoError(t, WriteDir(dir, own, fill("x")))
	mode(dir, 0o700)
	mode(filepath.Join(dir, "file"), 0o604)
}
