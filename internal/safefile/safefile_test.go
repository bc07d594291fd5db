package safefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
)

func writing(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

// failing writes a few bytes and then returns an error.
func failing(w io.Writer) error {
	io.WriteString(w, "half")
	return errors.New("no more")
}

// own lists the file of a directory that fill has written.
func own(dir string) ([]string, error) { return ListKnownFiles(dir, nil, "file") }

// fill returns a function that writes a file into a directory.
func fill(text string) func(dir string) error {
	return func(dir string) error { return Write(filepath.Join(dir, "file"), writing(text)) }
}

func content(t *testing.T, path string) string {
	t.Helper()
	return string(expect.Must(os.ReadFile(path)))
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	for _, e := range expect.Must(os.ReadDir(dir)) {
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
	expect.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
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
	if err := WriteDir(dir, nil, fill("first")); err != nil || content(t, filepath.Join(dir, "file")) != "first" {
		t.Fatal(err)
	}
	if err := WriteDir(dir, nil, fill("second")); !errors.Is(err, fs.ErrExist) || content(t, filepath.Join(dir, "file")) != "first" {
		t.Errorf("over an existing directory: %v", err)
	}
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
	if list := names(t, filepath.Dir(dir)); len(list) != 1 || IsTemporary(list[0]) {
		t.Errorf("left behind: %v", list)
	}
	if err := RemoveDir(dir, own); err != nil || len(names(t, filepath.Dir(dir))) != 0 {
		t.Errorf("removed: %v, left behind: %v", err, names(t, filepath.Dir(dir)))
	}
	expect.NoError(t, RemoveDir(dir, own)) // which is gone
	expect.NoError(t, CheckAbsent(filepath.Join(parent, "nothing")))
	if !IsTemporary("a.json.aside-123") || IsTemporary("a.json") {
		t.Error("files written aside are not told apart")
	}
}

func TestCreateReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := Create(path, writing("mine")); err != nil || content(t, path) != "mine" {
		t.Fatal(err)
	}
	if err := Create(path, writing("yours")); !errors.Is(err, fs.ErrExist) || content(t, path) != "mine" {
		t.Errorf("over a file: %v", err)
	}
	late := filepath.Join(dir, "late")
	err := Create(late, func(w io.Writer) error {
		io.WriteString(w, "new")
		return os.WriteFile(late, []byte("came meanwhile"), 0o644)
	})
	if !errors.Is(err, fs.ErrExist) || content(t, late) != "came meanwhile" {
		t.Errorf("over a file that came while it was written: %v", err)
	}
	if err := renameNew(path, filepath.Join(dir, "else")); err != nil || content(t, filepath.Join(dir, "else")) != "mine" {
		t.Errorf("renamed: %v", err)
	}
	if list := names(t, dir); len(list) != 2 {
		t.Errorf("left behind: %v", list)
	}
	if err := Create(os.DevNull, writing("x")); err != nil {
		t.Errorf("to %s: %v", os.DevNull, err)
	}
}

// Replace replaces a symbolic link; it does not write to the file that the link leads to.
func TestReplaceDoesNotFollowLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	os.WriteFile(target, []byte("old"), 0o644)
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := Replace(link, writing("new")); err != nil || content(t, target) != "old" || content(t, link) != "new" {
		t.Errorf("%v, %q", err, content(t, target))
	}
	dangling := filepath.Join(dir, "dangling")
	os.Symlink("nowhere", dangling)
	if err := Create(dangling, writing("new")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("in the place of a link to nothing: %v", err)
	}
	if err := Write(dangling, writing("new")); err != nil || content(t, filepath.Join(dir, "nowhere")) != "new" {
		t.Errorf("through a link to nothing: %v", err)
	}
}

func TestCheckWritable(t *testing.T) {
	dir := t.TempDir()
	for path, ok := range map[string]bool{
		filepath.Join(dir, "file"):         true,
		filepath.Join(dir, "none", "file"): false,
		dir:                                false,
		filepath.Join(dir, longName(256)):  false,
		filepath.Join(dir, longName(255)):  true,
		os.DevNull:                         true,
		filepath.Join(dir, "file") + "/":   false,
	} {
		if err := CheckWritable(path); (err == nil) != ok {
			t.Errorf("%.300s: %v", path, err)
		}
	}
	if list := names(t, dir); len(list) != 0 {
		t.Errorf("left behind: %v", list)
	}
	if err := Write(filepath.Join(dir, longName(255)), writing("x")); err != nil {
		t.Errorf("the longest name that there is: %v", err)
	}
}

// longName returns a name of n bytes, most of them in characters of two bytes.
func longName(n int) string {
	name := make([]byte, 0, n)
	if n%2 == 1 {
		name = append(name, 'x')
	}
	for len(name) < n {
		name = append(name, "é"...)
	}
	return string(name)
}

func TestWriteDirReplacesOnlyItsOwn(t *testing.T) {
	for name, came := range map[string]func(dir string) error{
		"before": func(dir string) error { return os.WriteFile(filepath.Join(dir, "thesis"), []byte("years"), 0o644) },
		"link":   func(dir string) error { return os.Symlink("elsewhere", filepath.Join(dir, "thesis")) },
		"dir":    func(dir string) error { return os.Mkdir(filepath.Join(dir, "thesis"), 0o755) },
	} {
		for _, during := range []bool{false, true} {
			parent := t.TempDir()
			dir := filepath.Join(parent, "dir")
			expect.NoError(t, WriteDir(dir, own, fill("first")))
			write := fill("second")
			if during {
				write = func(fresh string) error { return errors.Join(fill("second")(fresh), came(dir)) }
			} else if err := came(dir); err != nil {
				t.Fatal(err)
			}
			if err := WriteDir(dir, own, write); err == nil || content(t, filepath.Join(dir, "file")) != "first" {
				t.Errorf("%s, during %v: %v", name, during, err)
			}
			if list := names(t, dir); len(list) != 2 {
				t.Errorf("%s, during %v: %v is left", name, during, list)
			}
			if err := RemoveDir(dir, own); err == nil || len(names(t, dir)) != 2 {
				t.Errorf("%s: removed: %v", name, err)
			}
			if list := names(t, parent); len(list) != 1 {
				t.Errorf("%s, during %v: left behind: %v", name, during, list)
			}
		}
	}
	// A directory that appears at a free path while another is written is kept, too.
	dir := filepath.Join(t.TempDir(), "dir")
	err := WriteDir(dir, nil, func(fresh string) error { return errors.Join(fill("new")(fresh), os.Mkdir(dir, 0o755)) })
	if !errors.Is(err, fs.ErrExist) || len(names(t, dir)) != 0 {
		t.Errorf("over an empty directory that came meanwhile: %v", err)
	}
}

// A file that comes into a directory between its last check and its replacement is kept with the old directory.
func TestReplaceDirKeepsWhatCame(t *testing.T) {
	parent := t.TempDir()
	fresh, path := filepath.Join(parent, "fresh"), filepath.Join(parent, "path")
	for _, dir := range []string{fresh, path} {
		os.Mkdir(dir, 0o755)
		os.WriteFile(filepath.Join(dir, "file"), []byte(filepath.Base(dir)), 0o644)
	}
	os.WriteFile(filepath.Join(path, "thesis"), []byte("years"), 0o644)
	err := replaceDir(fresh, path, []string{"file"})
	if err == nil || content(t, filepath.Join(path, "file")) != "fresh" {
		t.Fatal(err)
	}
	list := slices.DeleteFunc(names(t, parent), func(name string) bool { return name == "path" })
	if len(list) != 1 || content(t, filepath.Join(parent, list[0], "thesis")) != "years" || !strings.Contains(err.Error(), list[0]) {
		t.Errorf("%v, beside it: %v", err, list)
	}
}

// A write-protected directory of the writer is replaced and removed like any other.
func TestProtectedDir(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root is not kept from writing")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "dir")
	for _, text := range []string{"first", "second"} {
		expect.NoError(t, WriteDir(dir, own, fill(text)))
		os.Chmod(dir, 0o555)
		if list := names(t, parent); content(t, filepath.Join(dir, "file")) != text || len(list) != 1 {
			t.Errorf("%s: %v", text, list)
		}
	}
	if err := RemoveDir(dir, own); err != nil || len(names(t, parent)) != 0 {
		t.Errorf("%v, left behind: %v", err, names(t, parent))
	}
}

// Path resolves ".." after a symbolic link as the system does.
func TestPath(t *testing.T) {
	dir := expect.Must(filepath.EvalSymlinks(t.TempDir()))
	deep := filepath.Join(dir, "real", "deep")
	expect.NoError(t, os.MkdirAll(deep, 0o755))
	if err := os.Symlink(deep, filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here:", err)
	}
	t.Chdir(dir)
	for path, want := range map[string]string{
		"": "", "m": "m", "./m/": "./m/", "../m": "../m", "../../m": "../../m", "/..": "/..", "link/m": "link/m",
		"none/../m":            "none/../m",
		"real/../m":            "./m",
		"link/../m":            filepath.Join(dir, "real", "m"),
		"./link/../deep/../m/": filepath.Join(dir, "real", "m") + "/",
		dir + "/link/..":       filepath.Join(dir, "real"),
	} {
		if got := ResolveDotDot(path); got != want && filepath.Separator == '/' {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
	if err := Create("link/../file", writing("x")); err != nil || content(t, filepath.Join(dir, "real", "file")) != "x" {
		t.Error(err)
	}
}

// ReadUnchanged reads again a directory replaced during reading, even if the new directory has the
// inode number of an earlier one.
func TestReadUnchanged(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "dir")
	both := func(dir string) ([]string, error) { return ListKnownFiles(dir, nil, "a", "b") }
	save := func(text string) {
		expect.NoError(t, WriteDir(dir, both, func(dir string) error {
			return errors.Join(Write(filepath.Join(dir, "a"), writing(text)), Write(filepath.Join(dir, "b"), writing(text)))
		}))
	}
	for replaced := range 4 {
		save("old")
		calls := 0
		var a, b string
		ReadUnchanged(dir, func() {
			a = content(t, filepath.Join(dir, "a"))
			if calls++; calls == 1 {
				for range replaced {
					save("new")
				}
			}
			b = content(t, filepath.Join(dir, "b"))
		})
		if a != b || calls != 1+min(1, replaced) {
			t.Errorf("%d times replaced: %q beside %q, read %d times", replaced, a, b, calls)
		}
	}
	calls := 0
	ReadUnchanged(filepath.Join(parent, "none"), func() { calls++ })
	if calls != 1 {
		t.Errorf("what is not there is read %d times", calls)
	}
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	m, err := ReadManifest(dir)
	if err != nil || len(m) != 0 {
		t.Fatal(m, err)
	}
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	for _, name := range []string{"a", "sub/b"} {
		expect.NoError(t, m.Add(dir, name, writing("text of "+name)))
	}
	os.WriteFile(filepath.Join(dir, "c"), []byte("somebody else's"), 0o644)
	expect.NoError(t, m.Write(dir))
	m = expect.Must(ReadManifest(dir))
	owns := func(name string, want bool) {
		t.Helper()
		if own, err := m.Owns(dir, name); own != want || err != nil {
			t.Errorf("%s: %v, %v", name, own, err)
		}
	}
	owns("a", true)
	owns("sub/b", true)
	owns("c", false)
	os.WriteFile(filepath.Join(dir, "a"), []byte("text of A"), 0o644)
	owns("a", false)
	os.Rename(filepath.Join(dir, "sub"), filepath.Join(dir, "other"))
	if err := os.Symlink("other", filepath.Join(dir, "sub")); err == nil {
		owns("sub/b", false)
	}
	for _, text := range []string{
		"", "{", `{"format":2}`, `{"format":1,"files":{"../x":["1"]}}`, `{"format":1,"files":{"/etc/x":["1"]}}`,
		`{"format":1,"files":{},"more":1}`, `{"format":1,"files":{"sml-manifest.json":["1"]}}`,
	} {
		if _, err := decodeManifest([]byte(text)); err == nil {
			t.Errorf("%s is taken for a manifest", text)
		}
	}
	if err := os.Truncate(filepath.Join(dir, ManifestFile), 1<<40); err != nil {
		t.Skip("no sparse files here:", err)
	}
	if _, err := ReadManifest(dir); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a manifest of a terabyte: %v", err)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format":1,"files":{"a":["00"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := decodeManifest(text)
		for name := range m {
			if err == nil && !filepath.IsLocal(name) {
				t.Errorf("%q is outside", name)
			}
		}
	})
}

// RemoveLeftovers removes the files of a killed writer. It keeps a file in use and files with other
// names.
func TestRemoveLeftovers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("leftovers stay on Windows")
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	os.Mkdir(folder, 0o755)
	for _, name := range []string{"a.json.aside-123", "folder/b.csv.aside-4294967295", "notes.aside-old", "a.json"} {
		os.WriteFile(filepath.Join(dir, name), []byte("left"), 0o644)
	}
	err := Replace(filepath.Join(folder, "c"), func(w io.Writer) error {
		RemoveLeftovers(dir)
		_, err := w.Write([]byte("whole"))
		return err
	})
	if err != nil || content(t, filepath.Join(folder, "c")) != "whole" {
		t.Errorf("a file written meanwhile: %v", err)
	}
	if got, want := names(t, dir), []string{"a.json", "folder", "notes.aside-old"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if got, want := names(t, folder), []string{"c"}; !slices.Equal(got, want) {
		t.Errorf("files of the folder %q, want %q", got, want)
	}
}
