package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Owner lists the files of a directory that are the writer's own and may be
// deleted with it. Its error says what else the directory is or has, and then
// nothing is deleted or replaced.
type Owner func(dir string) (files []string, err error)

// WriteDir makes the directory at path with the files that write puts into
// the directory it is given. What is at path already is an error wrapping
// fs.ErrExist if own is nil. Otherwise it is replaced, when the new directory is
// complete and if own still takes it for the writer's; files keep their
// permissions.
//
// Directories are exchanged in one step where the system can; elsewhere there
// is nothing at path for a moment.
func WriteDir(path string, own Owner, write func(dir string) error) error {
	path = filepath.Clean(path)
	if _, err := replaceable(path, own); err != nil {
		return err
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	fresh, err := mkdirAside(path)
	if err != nil {
		return err
	}
	there := false
	if err = fill(fresh, path, write); err == nil {
		there, err = replaceable(path, own)
	}
	if err == nil && !there {
		err = renameNew(fresh, path)
	}
	if err != nil {
		os.RemoveAll(fresh)
		return err
	}
	if there {
		if err := displace(fresh, path, own); err != nil {
			return err
		}
	}
	return syncDir(parent)
}

// fill writes a new directory that is to have the permissions of the old one.
func fill(fresh, old string, write func(dir string) error) error {
	if err := write(fresh); err != nil {
		return err
	}
	entries, err := os.ReadDir(fresh)
	if err != nil {
		return err
	}
	for _, e := range entries {
		keepMode(filepath.Join(fresh, e.Name()), filepath.Join(old, e.Name()))
	}
	if err := syncDir(fresh); err != nil {
		return err
	}
	keepMode(fresh, old)
	return nil
}

// replaceable tells whether there is something at path, and whether it may go.
func replaceable(path string, own Owner) (there bool, err error) {
	err = Vacant(path)
	if errors.Is(err, fs.ErrExist) && own != nil {
		_, err = own(path)
		return true, err
	}
	return false, err
}

// Whole calls read, which reads files of the directory at path, again if it was
// replaced meanwhile: files of two directories may not belong together.
func Whole(path string, read func()) {
	for range 10 {
		before, err := os.Stat(path)
		read()
		if err != nil {
			return
		}
		after, err := os.Stat(path)
		if err != nil || os.SameFile(before, after) && before.ModTime().Equal(after.ModTime()) { // a new one may have an old one's number
			return
		}
	}
}

// displace puts the directory fresh in the place of the one at path, and
// deletes that. If something came into it meanwhile that is not the writer's,
// all is as it was.
func displace(fresh, path string, own Owner) error {
	old := fresh
	err := exchange(fresh, path)
	if errors.Is(err, errors.ErrUnsupported) {
		old = fresh + "-old"
		if err = os.Rename(path, old); err == nil {
			if err = renameNew(fresh, path); err != nil {
				if back := renameNew(old, path); back != nil {
					err = fmt.Errorf("%w; the former %s is now %s", err, path, old)
				}
			}
		}
	}
	if err != nil {
		os.RemoveAll(fresh)
		return err
	}
	files, foreign := own(old)
	if foreign == nil {
		return removeFiles(old, files)
	}
	if old == fresh {
		err = exchange(old, path)
	} else if err = os.Rename(path, fresh); err == nil {
		err = renameNew(old, path)
	}
	if err != nil {
		return fmt.Errorf("%w; the former %s is now %s", foreign, path, old)
	}
	os.RemoveAll(fresh)
	return foreign
}

// RemoveDir deletes the directory at path, if there is one, and only if it is
// the writer's. It is gone at once and not file by file.
func RemoveDir(path string, own Owner) error {
	path = filepath.Clean(path)
	there, err := replaceable(path, own)
	if err != nil || !there {
		return err
	}
	var old string
	err = aside(path, func(name string) error {
		old = name + "-old"
		return renameNew(path, old)
	})
	if err != nil {
		return err
	}
	files, err := own(old)
	if err != nil {
		if back := renameNew(old, path); back != nil {
			err = fmt.Errorf("%w; the former %s is now %s", err, path, old)
		}
		return err
	}
	if err := removeFiles(old, files); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// removeFiles deletes a directory with those files and no other. One that is
// write-protected is no less the writer's.
func removeFiles(dir string, files []string) error {
	os.Chmod(dir, 0o700)
	for _, name := range files {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Remove(dir)
}

// OnlyFiles is an error if what is at path is no directory, or has anything
// but regular files of the given names. It returns those that are there.
func OnlyFiles(path string, names ...string) (there []string, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link", path)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !slices.Contains(names, e.Name()) {
			return nil, fmt.Errorf("%s holds %s", path, e.Name())
		}
		there = append(there, e.Name())
	}
	return there, nil
}
