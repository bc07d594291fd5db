// Package safefile writes files and directories so that a reader finds
// either the old content or the whole new one, whatever interrupts the writer:
// content is written aside, synced, and renamed into place.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// asideMark is part of the name of everything that is written aside. What an
// interrupted writer leaves behind carries it and can be deleted.
const asideMark = ".aside-"

// Write replaces the file at path by what write produces. On any error the
// old file stays and nothing is left beside it. A symbolic link is followed;
// what is no regular file, such as a device or a pipe, is written to as it is.
func Write(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+asideMark)
	if err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: errors.Unwrap(err)}
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// WriteDir makes the directory at path with the files that write puts into
// the directory it is given. An existing directory is an error wrapping
// fs.ErrExist, unless replace is set; then it is moved out of the way only when
// the new one is complete.
func WriteDir(path string, replace bool, write func(dir string) error) (err error) {
	path = filepath.Clean(path)
	if err := Vacant(path); err != nil && !(replace && errors.Is(err, fs.ErrExist)) {
		return err
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	aside, err := os.MkdirTemp(parent, filepath.Base(path)+asideMark)
	if err != nil {
		return err
	}
	defer os.RemoveAll(aside)
	if err := os.Chmod(aside, 0o755); err != nil {
		return err
	}
	if err := write(aside); err != nil {
		return err
	}
	if err := syncDir(aside); err != nil {
		return err
	}
	old := aside + "-old"
	switch err := os.Rename(path, old); {
	case err == nil:
		defer os.RemoveAll(old)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.Rename(aside, path); err != nil {
		if back := os.Rename(old, path); back != nil && !errors.Is(back, fs.ErrNotExist) {
			return fmt.Errorf("%w; the former %s is now %s", err, path, old)
		}
		return err
	}
	return syncDir(parent)
}

// Vacant returns an error wrapping fs.ErrExist when there is something at path.
func Vacant(path string) error {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}

// IsAside tells whether a file or directory of that name was being written
// when its writer was interrupted.
func IsAside(name string) bool { return strings.Contains(name, asideMark) }

// syncDir makes renames in dir durable. Not every system can sync a
// directory; those that cannot say so, and that is no failure.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	d.Sync()
	return d.Close()
}
