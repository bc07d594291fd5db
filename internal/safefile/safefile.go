// Package safefile writes files and directories so that a reader finds
// either the old content or the whole new one, whatever interrupts the writer:
// content is written aside, synced, and renamed into place. It replaces and
// deletes only what it is told to be the writer's own. Permissions are those of
// what is replaced, or follow from the umask.
package safefile

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces the file at path by what write produces. On any error the
// old file stays and nothing is left beside it. A symbolic link is followed;
// what is no regular file, such as a device or a pipe, is written to as it is.
func Write(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	return put(follow(path), write, os.Rename)
}

// Create is Write for a path at which there is nothing, or no regular file.
// Anything else is an error wrapping fs.ErrExist, also if it comes there while
// write runs.
func Create(path string, write func(io.Writer) error) error {
	if err := Free(path); err != nil {
		return err
	}
	switch info, err := os.Stat(path); {
	case err == nil && (info.Mode().IsRegular() || info.IsDir()): // it came there just now
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	case err == nil:
		return writeThrough(path, write)
	}
	return put(path, write, renameNew)
}

// Replace is Write for files of a directory that belongs to the program: a
// symbolic link is replaced, not followed, and so is all that is no directory.
func Replace(path string, write func(io.Writer) error) error {
	return put(path, write, os.Rename)
}

// Content returns what writes exactly that, for Write and its like.
func Content(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// put writes a file aside and moves it to path.
func put(path string, write func(io.Writer) error, move func(from, to string) error) (err error) {
	path = Path(path)
	mode := fs.FileMode(0o666)
	if old, err := os.Lstat(path); err == nil && old.Mode().IsRegular() {
		mode = old.Mode().Perm()
	}
	f, err := createAside(path, mode)
	if err != nil {
		return err
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
	keepMode(f.Name(), path) // also what the umask took away
	if err := f.Sync(); err != nil {
		return err
	}
	if err := moveFile(f, path, move); err != nil {
		return err
	}
	if dir := filepath.Dir(path); !IsAside(filepath.Base(dir)) { // else WriteDir syncs it when it is complete
		return syncDir(dir)
	}
	return nil
}

// moveFile moves an open file to path and closes it. Where the system allows it, the file keeps
// its lock until it has been moved.
func moveFile(f *os.File, path string, move func(from, to string) error) error {
	if renamesOpenFiles {
		return cmp.Or(move(f.Name(), path), f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return move(f.Name(), path)
}

func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return cmp.Or(write(f), f.Close())
}

// follow returns what a path of symbolic links leads to, which need not exist.
func follow(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	for range 40 {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Dir(path) + string(filepath.Separator) + target // not cleaned: ".." is that of the linked directory
		}
		path = target
	}
	return path
}

// Free returns an error wrapping fs.ErrExist when there is something at path
// that Write would replace. A device or a pipe can be written to any time.
func Free(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	return Vacant(path)
}

// Try returns the error that would keep a file from being written to path: a
// folder that is not there or not writable, a name that is too long.
func Try(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil && os.IsPathSeparator(path[len(path)-1]):
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("a file's name does not end so")}
	}
	f, err := createAside(Path(follow(path)), 0o600)
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// syncDir makes renames in dir durable. Not every system can sync a
// directory; those that cannot say so, and that is no failure.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return nil // it may be written to without being read
	} else if err != nil {
		return err
	}
	d.Sync()
	return d.Close()
}
