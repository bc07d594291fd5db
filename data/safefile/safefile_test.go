package safefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func writing(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

// failing writes a part, then fails.
func failing(w io.Writer) error {
	io.WriteString(w, "half")
	return errors.New("no more")
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"first", "second"} {
		if err := Write(path, writing(text)); err != nil || content(t, path) != text {
			t.Fatalf("wrote %q: %v, %q", text, err, content(t, path))
		}
	}
	if err := Write(path, failing); err == nil || content(t, path) != "second" {
		t.Errorf("a failed write: %v, content %q", err, content(t, path))
	}
	if list := names(t, dir); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
	if err := Write(filepath.Join(dir, "none", "file"), writing("")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestWriteFollowsLinksAndWritesToDevices(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := Write(link, writing("new")); err != nil || content(t, target) != "new" {
		t.Errorf("through a link: %v, %q", err, content(t, target))
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if err := Write(os.DevNull, writing("x")); err != nil {
		t.Errorf("to %s: %v", os.DevNull, err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a file now", os.DevNull)
	}
}

func TestWriteDir(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "deep", "dir")
	fill := func(text string) func(string) error {
		return func(dir string) error { return Write(filepath.Join(dir, "file"), writing(text)) }
	}
	if err := WriteDir(dir, nil, fill("first")); err != nil || content(t, filepath.Join(dir, "file")) != "first" {
		t.Fatal(err)
	}
	if err := WriteDir(dir, nil, fill("second")); !errors.Is(err, fs.ErrExist) || content(t, filepath.Join(dir, "file")) != "first" {
		t.Errorf("over an existing directory: %v", err)
	}
	own := func(dir string) ([]string, error) { return OnlyFiles(dir, "file") }
	broken := func(dir string) error {
		if err := fill("broken")(dir); err != nil {
			return err
		}
		return errors.New("no more")
	}
	if err := WriteDir(dir, own, broken); err == nil || content(t, filepath.Join(dir, "file")) != "first" {
		t.Errorf("a failed write: %v", err)
	}
	if err := WriteDir(dir, own, fill("third")); err != nil || content(t, filepath.Join(dir, "file")) != "third" {
		t.Errorf("replacing: %v", err)
	}
	if list := names(t, filepath.Dir(dir)); len(list) != 1 || IsAside(list[0]) {
		t.Errorf("left behind: %v", list)
	}
	if err := Vacant(filepath.Join(parent, "nothing")); err != nil {
		t.Error(err)
	}
	if !IsAside("a.json.aside-123") || IsAside("a.json") {
		t.Error("files written aside are not told apart")
	}
}
