package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// OwnFiles returns the names of the files in dir, all of which the writer has made and may
// delete. It returns an error if dir is not a directory of the writer or contains anything
// else; dir is then neither replaced nor deleted.
type OwnFiles func(dir string) (files []string, err error)

// WriteDir writes the directory at path: it calls write with a temporary directory, and
// moves the directory to path when it is complete. If something exists at path and own is nil, it
// returns an error that wraps fs.ErrExist. If own is not nil, it returns the error of own, or replaces
// the existing directory; the permissions of the directory and of its files stay.
//
// An existing directory is replaced in one step if the system allows it; otherwise nothing
// exists at path for a moment.
func WriteDir(path string, own OwnFiles, write func(dir string) error) error {
	path = filepath.Clean(path)
	if _, err := checkReplaceable(path, own); err != nil {
		return err
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	fresh, err := mkdirTemporary(path)
	if err != nil {
		return err
	}
	if err := fillDir(fresh, path, write); err != nil {
		os.RemoveAll(fresh)
		return err
	}
	if err := installDir(fresh, path, own); err != nil {
		return err
	}
	return syncDir(parent)
}

// fillDir calls write with the directory fresh, and then gives fresh and its files the
// permissions of the directory old, if that exists.
func fillDir(fresh, old string, write func(dir string) error) error {
	if err := write(fresh); err != nil {
		return err
	}
	entries, err := os.ReadDir(fresh)
	if err != nil {
		return err
	}
	for _, e := range entries {
		copyPermissions(filepath.Join(fresh, e.Name()), filepath.Join(old, e.Name()))
	}
	if err := syncDir(fresh); err != nil {
		return err
	}
	copyPermissions(fresh, old)
	return nil
}

// installDir moves the complete directory fresh to path, and deletes the directory that was
// there. If it returns an error, fresh is deleted.
func installDir(fresh, path string, own OwnFiles) error {
	exists, err := checkReplaceable(path, own) // again, since writing may have taken long
	if err == nil && exists {
		return replaceDir(fresh, path, own)
	}
	if err == nil {
		err = renameNew(fresh, path)
	}
	if err != nil {
		os.RemoveAll(fresh)
	}
	return err
}

// checkReplaceable reports whether something exists at path. It returns an error if it may
// not be replaced; nothing may be replaced if own is nil.
func checkReplaceable(path string, own OwnFiles) (exists bool, err error) {
	err = CheckAbsent(path)
	if errors.Is(err, fs.ErrExist) && own != nil {
		_, err = own(path)
		return true, err
	}
	return false, err
}

// replaceDir moves the directory fresh to path, and deletes the directory that was there.
// If own refuses the old directory, because a file came into it meanwhile, replaceDir moves
// it back and deletes fresh.
func replaceDir(fresh, path string, own OwnFiles) error {
	old, err := swapDirs(fresh, path)
	if err != nil {
		os.RemoveAll(fresh)
		return err
	}
	files, ownErr := own(old)
	if ownErr == nil {
		return removeFiles(old, files)
	}
	if err := swapBack(old, fresh, path); err != nil {
		return movedAway(path, old, ownErr)
	}
	os.RemoveAll(fresh)
	return ownErr
}

// swapDirs moves the directory fresh to path, and the directory at path to the name that it
// returns: fresh if the system can exchange two names, and a new name otherwise.
func swapDirs(fresh, path string) (old string, err error) {
	err = exchange(fresh, path)
	if !errors.Is(err, errors.ErrUnsupported) {
		return fresh, err
	}
	old = fresh + "-old"
	if err := os.Rename(path, old); err != nil {
		return "", err
	}
	if err := renameNew(fresh, path); err != nil {
		return "", moveBack(old, path, err)
	}
	return old, nil
}

// swapBack undoes swapDirs, which returned old.
func swapBack(old, fresh, path string) error {
	if old == fresh {
		return exchange(old, path)
	}
	if err := os.Rename(path, fresh); err != nil {
		return err
	}
	return renameNew(old, path)
}

// moveBack renames the directory old to path, where it was before an operation failed with
// the error cause. It returns cause, and adds where the directory is if it cannot be moved.
func moveBack(old, path string, cause error) error {
	if err := renameNew(old, path); err != nil {
		return movedAway(path, old, cause)
	}
	return cause
}

// movedAway returns the error for a directory that was at path and had to be left at old
// after a failure with the error cause.
func movedAway(path, old string, cause error) error {
	return fmt.Errorf("%w; the directory that was at %s is now at %s", cause, path, old)
}

// ReadUnchanged calls read, which reads files of the directory at path. It calls read again
// if the directory was replaced meanwhile, since files of two directories may not belong
// together. It gives up after ten calls.
func ReadUnchanged(path string, read func()) {
	for range 10 {
		before, beforeErr := os.Stat(path)
		read()
		after, afterErr := os.Stat(path)
		if beforeErr != nil || afterErr != nil {
			return
		}
		// A new directory may have the inode number of an old one, but not its time.
		if os.SameFile(before, after) && before.ModTime().Equal(after.ModTime()) {
			return
		}
	}
}

// RemoveDir deletes the directory at path, if it exists. It returns the error of own if the
// directory may not be deleted. The directory disappears in one step, not file by file.
func RemoveDir(path string, own OwnFiles) error {
	path = filepath.Clean(path)
	exists, err := checkReplaceable(path, own)
	if err != nil || !exists {
		return err
	}
	var old string
	err = createWithNewName(path, func(name string) error {
		old = name + "-old"
		return renameNew(path, old)
	})
	if err != nil {
		return err
	}
	files, err := own(old) // again: a file may have come into it
	if err != nil {
		return moveBack(old, path, err)
	}
	if err := removeFiles(old, files); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// removeFiles deletes a directory that contains only the given files, even if the directory
// is write-protected.
func removeFiles(dir string, files []string) error {
	os.Chmod(dir, 0o700)
	for _, name := range files {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Remove(dir)
}

// ListKnownFiles returns which of the given names are in the directory at path. It returns
// an error if path is not a directory, or contains anything but regular files of these
// names.
func ListKnownFiles(path string, names ...string) ([]string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link; want a directory", path)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !slices.Contains(names, e.Name()) {
			return nil, fmt.Errorf("%s contains %s, which is not one of its files", path, e.Name())
		}
		files = append(files, e.Name())
	}
	return files, nil
}
