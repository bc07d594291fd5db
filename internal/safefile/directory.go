package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// OwnFiles returns the names of the files in dir, all of which the caller has written and may
// delete. It returns an error if dir is not a directory or contains anything else; dir is then
// neither replaced nor deleted.
type OwnFiles func(dir string) (files []string, err error)

// WriteDir writes the directory at path: it calls write with a temporary directory, and
// moves the directory to path when it is complete. If something exists at path and ownFiles is nil,
// WriteDir returns an error that wraps fs.ErrExist. If ownFiles is not nil, it decides: WriteDir returns
// its error, or else replaces the existing directory and keeps the permissions of the directory and
// its files.
//
// An existing directory is replaced in one step if the system allows it; otherwise nothing
// exists at path for a moment.
func WriteDir(path string, ownFiles OwnFiles, write func(dir string) error) error {
	path = filepath.Clean(path)
	if _, _, err := checkReplaceable(path, ownFiles); err != nil {
		return err
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	newDir, err := mkdirTemporary(path)
	if err != nil {
		return err
	}
	if err := fillDir(newDir, path, write); err != nil {
		os.RemoveAll(newDir)
		return err
	}
	if err := installDir(newDir, path, ownFiles); err != nil {
		return err
	}
	return syncDir(parent)
}

// fillDir calls write with the directory newDir. Then it gives newDir and its files the
// permissions of the directory oldDir and its files of the same name, if they exist, and makes the
// files durable. The directory's own permissions come last, since they may forbid all this.
func fillDir(newDir, oldDir string, write func(dir string) error) error {
	if err := write(newDir); err != nil {
		return err
	}
	entries, err := os.ReadDir(newDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		copyPermissions(filepath.Join(newDir, e.Name()), filepath.Join(oldDir, e.Name()))
	}
	if err := syncDir(newDir); err != nil {
		return err
	}
	copyPermissions(newDir, oldDir)
	return nil
}

// installDir moves the complete directory newDir to path, and deletes the directory that was
// there. If it returns an error without having moved newDir, it has deleted newDir.
func installDir(newDir, path string, ownFiles OwnFiles) error {
	oldFiles, exists, err := checkReplaceable(path, ownFiles) // again, since writing may have taken long
	if err != nil {
		os.RemoveAll(newDir)
		return err
	}
	if exists {
		return replaceDir(newDir, path, oldFiles)
	}
	if err := renameNew(newDir, path); err != nil {
		os.RemoveAll(newDir)
		return err
	}
	return nil
}

// checkReplaceable returns whether something exists at path, and the names of its files. It returns an error if it may not
// be replaced, since ownFiles is nil or refuses it.
func checkReplaceable(path string, ownFiles OwnFiles) (files []string, exists bool, err error) {
	err = CheckAbsent(path)
	if errors.Is(err, fs.ErrExist) && ownFiles != nil {
		files, err = ownFiles(path)
		return files, true, err
	}
	return nil, false, err
}

// replaceDir moves the directory newDir to path, and deletes the directory that was there, which has oldFiles. If
// another file came into the old directory since they were listed, replaceDir keeps it, and its error says where.
func replaceDir(newDir, path string, oldFiles []string) error {
	oldDir, err := swapDirs(newDir, path)
	if err != nil {
		os.RemoveAll(newDir)
		return err
	}
	if err := removeFiles(oldDir, oldFiles); err != nil {
		return movedAwayError(path, oldDir, err)
	}
	return nil
}

// swapDirs moves the directory newDir to path, and the directory at path to another name, which it returns. If the system
// can exchange two names, that name is newDir. Otherwise it is a new one, and the two directories are renamed one after the
// other; if the second step fails, swapDirs takes the first back.
func swapDirs(newDir, path string) (oldDir string, err error) {
	err = exchange(newDir, path)
	if !errors.Is(err, errors.ErrUnsupported) {
		return newDir, err
	}
	oldDir = newDir + "-old"
	if err := os.Rename(path, oldDir); err != nil {
		return "", err
	}
	if err := renameNew(newDir, path); err != nil {
		if renameNew(oldDir, path) != nil {
			return "", movedAwayError(path, oldDir, err)
		}
		return "", err
	}
	return oldDir, nil
}

// movedAwayError returns the error for a directory that was at path and had to be left at oldDir
// after a failure with the error cause.
func movedAwayError(path, oldDir string, cause error) error {
	return fmt.Errorf("%w; the directory that was at %s is now at %s", cause, path, oldDir)
}

// ReadUnchanged calls read, which reads files of the directory at path. It calls read again
// if the directory was replaced meanwhile, since files of two directories may not belong
// together: read must discard what it read before. After ten calls ReadUnchanged gives up and
// leaves the result of the last one.
func ReadUnchanged(path string, read func()) {
	const maxCalls = 10
	for range maxCalls {
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

// RemoveDir deletes the directory at path, if it exists. It returns the error of ownFiles if the
// directory may not be deleted. The directory disappears in one step, not file by file: it is renamed before its files are
// deleted.
func RemoveDir(path string, ownFiles OwnFiles) error {
	path = filepath.Clean(path)
	files, exists, err := checkReplaceable(path, ownFiles)
	if err != nil || !exists {
		return err
	}
	var oldDir string
	err = createWithNewName(path, func(name string) error {
		oldDir = name + "-old"
		return renameNew(path, oldDir)
	})
	if err != nil {
		return err
	}
	if err := removeFiles(oldDir, files); err != nil {
		return movedAwayError(path, oldDir, err)
	}
	return syncDir(filepath.Dir(path))
}

// removeFiles deletes a directory that contains only the given files, even if the directory
// is write-protected. A file that is gone already is no error.
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
// names and directories named in folders.
func ListKnownFiles(path string, folders []string, names ...string) ([]string, error) {
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
		if e.IsDir() && slices.Contains(folders, e.Name()) {
			continue
		}
		if !e.Type().IsRegular() || !slices.Contains(names, e.Name()) {
			return nil, fmt.Errorf("%s contains %s, which is not one of its files", path, e.Name())
		}
		files = append(files, e.Name())
	}
	return files, nil
}
