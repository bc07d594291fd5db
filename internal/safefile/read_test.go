package safefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/internal/expect"
)

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"", "abc", strings.Repeat("x", 10_000)} {
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		if got, err := Read(path, int64(len(text))); err != nil || string(got) != text {
			t.Errorf("%d bytes were read as %d, %v", len(text), len(got), err)
		}
		if len(text) == 0 {
			continue
		}
		if _, err := Read(path, int64(len(text)-1)); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), path) {
			t.Errorf("%d bytes with a limit of one less: %v", len(text), err)
		}
	}
	if _, err := Read(path+"x", 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// A device is refused before it is read, and a sparse file of a terabyte because of its size.
func TestReadRefusesWhatNeverEnds(t *testing.T) {
	dir := t.TempDir()
	expect.Error(t, expect.ErrorOf(Read(dir, 1<<40)), "directory")
	if _, err := os.Stat("/dev/zero"); err == nil {
		expect.Error(t, expect.ErrorOf(Read("/dev/zero", 1<<40)), "want a file")
		link := filepath.Join(dir, "link")
		expect.NoError(t, os.Symlink("/dev/zero", link))
		if _, err := Open(link, 1<<40); err == nil {
			t.Error("a link to /dev/zero was opened")
		}
	}
	huge := filepath.Join(dir, "huge")
	expect.NoError(t, os.WriteFile(huge, nil, 0o644))
	if err := os.Truncate(huge, 1<<40); err != nil {
		t.Skip("no sparse files here:", err)
	}
	if _, err := Read(huge, 1<<20); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "1099511627776") {
		t.Errorf("a terabyte: %v", err)
	}
}

// zeros is a stream without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestReadAll(t *testing.T) {
	if got, err := ReadAll(strings.NewReader("abc"), "it", 3); err != nil || string(got) != "abc" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := ReadAll(zeros{}, "it", 1000); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "it is too large") {
		t.Errorf("a stream without an end: %v", err)
	}
}

// A file that grows while it is read ends at the limit.
func TestOpenedFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	expect.NoError(t, os.WriteFile(path, []byte("ab"), 0o644))
	f := expect.Must(Open(path, 3))
	defer f.Close()
	expect.NoError(t, os.WriteFile(path, []byte("abcdef"), 0o644))
	if got, err := io.ReadAll(f); string(got) != "abc" || !errors.Is(err, ErrTooLarge) {
		t.Errorf("read %q, %v", got, err)
	}
	part := make([]byte, 4)
	if n, err := f.ReadAt(part, 1); string(part[:n]) != "b" || err != io.EOF { // what it had when it was opened
		t.Errorf("read %q at 1, %v", part[:n], err)
	}
}
