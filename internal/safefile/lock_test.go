package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"sml/internal/expect"
)

func TestLock(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a", "b", "x.lock")
	l, err := Acquire(path)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no locks here:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := Acquire(path); !errors.As(err, &held) || held.Process != os.Getpid() || held.Host == "" || held.Since.IsZero() {
		t.Errorf("a second one: %v", err)
	}
	if err := l.Release(); err != nil || len(names(t, root)) != 0 {
		t.Errorf("released: %v, left behind: %v", err, names(t, root))
	}

	// A lock file of a killed process can be locked.
	left := filepath.Join(root, "left")
	os.WriteFile(left, []byte(`{"host":"h","process":1,"since":"2020-01-01T00:00:00Z"}`), 0o644)
	l = expect.Must(Acquire(left))
	if h, ok := parseHolder([]byte(content(t, left))); !ok || h.Process != os.Getpid() {
		t.Errorf("holder %+v", h)
	}
	l.Release()

	// Anything else at the path is refused and kept.
	os.WriteFile(left, []byte("notes"), 0o644)
	if _, err := Acquire(left); err == nil || content(t, left) != "notes" {
		t.Errorf("in the place of a file: %v", err)
	}
	os.Mkdir(filepath.Join(root, "dir"), 0o755)
	if _, err := Acquire(filepath.Join(root, "dir")); err == nil {
		t.Error("in the place of a directory")
	}
	if err := os.Symlink("left", filepath.Join(root, "link")); err == nil {
		if _, err := Acquire(filepath.Join(root, "link")); err == nil {
			t.Error("through a link")
		}
	}
	if _, err := Acquire(filepath.Join(left, "x.lock")); err == nil {
		t.Error("in a folder that is a file")
	}
	if list := names(t, root); len(list) > 3 {
		t.Errorf("left behind: %v", list)
	}
}

// Only one goroutine at a time holds a lock that is acquired and released again and again.
func TestLockIsHeldByOne(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	path := filepath.Join(t.TempDir(), "folder", "x.lock")
	var inside, taken atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				l, err := Acquire(path)
				var held *HeldError
				if errors.As(err, &held) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two have it")
				}
				taken.Add(1)
				inside.Add(-1)
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if taken.Load() == 0 {
		t.Error("nobody had it")
	}
}
