package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/evaluation/report"
	"sml/internal/expect"
	"sml/internal/safefile"
)

func saying(content string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, content); return err }
}

// What interrupts a report leaves files that the next one may replace, and a
// file that somebody else put there is never one of them.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	var said bytes.Buffer
	open := func() *folder {
		t.Helper()
		m := expect.Must(safefile.ReadManifest(dir))
		return &folder{dir: dir, note: func(format string, args ...any) { fmt.Fprintf(&said, format, args...) }, written: m}
	}
	content := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	expect.NoError(t, open().write(t.Context(), []report.File{{Name: "a", Write: saying("a1")}, {Name: "sub/b", Write: saying("b1")}, {Name: "c", Write: saying("c1")}}))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := open().write(ctx, []report.File{{Name: "a", Write: saying("a2")}}); !errors.Is(err, context.Canceled) || content("a") != "a1" {
		t.Errorf("interrupted: %v", err)
	}
	broken := func(io.Writer) error { return errors.New("no more") }
	if err := open().write(t.Context(), []report.File{{Name: "a", Write: saying("a2")}, {Name: "sub/b", Write: broken}}); err == nil || content("a") != "a1" || content("c") != "c1" {
		t.Errorf("failed: %v", err)
	}

	// Killed when the first file was written and the second was not: the first
	// is known to be the program's all the same.
	os.Remove(filepath.Join(dir, "sub", "b"))
	f := open()
	first := report.File{Name: "a", Write: saying("a2")}
	second := report.File{Name: "sub/b", Write: saying("b2")}
	expect.NoError(t, f.checkNames([]report.File{first, second}))
	during := safefile.Manifest{"a": {safefile.Sum([]byte("a1")), safefile.Sum([]byte("a2"))}, "sub/b": f.written["sub/b"], "c": f.written["c"]}
	expect.NoError(t, during.Write(dir))
	expect.NoError(t, safefile.Replace(filepath.Join(dir, "a"), saying("a2")))
	if err := open().write(t.Context(), []report.File{{Name: "a", Write: saying("a3")}, second}); err != nil || content("a") != "a3" || content("sub/b") != "b2" {
		t.Errorf("after an interrupted one: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "c")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what the earlier one wrote is left: %v", err)
	}

	os.WriteFile(filepath.Join(dir, "a"), []byte("mine"), 0o644)
	err := open().write(t.Context(), []report.File{{Name: "a", Write: saying("a4")}, {Name: "new", Write: saying("n")}})
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "a")+"\n") || content("a") != "mine" || content("sub/b") != "b2" {
		t.Errorf("over a file that was changed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was begun: %v", err)
	}
	if err := open().write(t.Context(), []report.File{{Name: "new", Write: saying("n")}}); err != nil || content("a") != "mine" || !strings.Contains(said.String(), "stays: it has been changed since") {
		t.Errorf("%v, said %q", err, &said)
	}
}

// Somebody's file that comes into a folder while it is written stays.
func TestFolderIsLookedAtAgain(t *testing.T) {
	skipIfShort(t)
	dir := t.TempDir()
	files := func(content string) []report.File {
		var list []report.File
		for i := range 100 {
			list = append(list, report.File{Name: fmt.Sprintf("%02d", i), Write: saying(content)})
		}
		return list
	}
	open := func() *folder {
		m := expect.Must(safefile.ReadManifest(dir))
		return &folder{dir: dir, note: func(string, ...any) {}, written: m}
	}
	expect.NoError(t, open().write(t.Context(), files("old")))
	first, last := filepath.Join(dir, "00"), filepath.Join(dir, "99")
	came := make(chan error)
	go func() {
		for {
			if b, err := os.ReadFile(first); err != nil || string(b) == "new" {
				came <- os.WriteFile(last, []byte("mine"), 0o644)
				return
			}
		}
	}()
	err := open().write(t.Context(), files("new"))
	expect.NoError(t, <-came)
	if b, readErr := os.ReadFile(last); err == nil || string(b) != "mine" {
		t.Errorf("%q is there: %v, %v", b, err, readErr)
	}
	expect.NoError(t, os.Remove(last))
	if err := open().write(t.Context(), files("newer")); err != nil {
		t.Errorf("after it was moved away: %v", err)
	}
}
