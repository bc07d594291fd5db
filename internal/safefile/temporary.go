package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// temporaryMark is part of the name of every temporary file and directory. An interrupted
// writer leaves them behind, and they can be deleted.
const temporaryMark = ".aside-"

// maxBaseName is the maximum number of bytes of a file's name that its temporary name repeats:
// file systems allow names of 255 bytes.
const maxBaseName = 100

// IsTemporary reports whether name is the name of a temporary file or directory of this
// package.
func IsTemporary(name string) bool { return strings.Contains(name, temporaryMark) }

// temporaryName returns a random temporary name in the directory of path.
func temporaryName(path string) string {
	base := filepath.Base(path)
	if len(base) > maxBaseName {
		base = strings.ToValidUTF8(base[:maxBaseName], "") // without half a character at the end
	}
	return filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%s%d", base, temporaryMark, rand.Uint32()))
}

// createWithNewName calls create with temporary names beside path until it does not return
// fs.ErrExist. Its error names path instead of the temporary name.
func createWithNewName(path string, create func(name string) error) error {
	for {
		err := create(temporaryName(path))
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = &fs.PathError{Op: "write", Path: path, Err: pathError.Err}
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// createTemporary creates, opens and locks a temporary file beside path, with the permissions mode less
// the umask.
func createTemporary(path string, mode fs.FileMode) (*os.File, error) {
	var file *os.File
	err := createWithNewName(path, func(name string) error {
		var err error
		file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		return lockTemporary(file)
	})
	return file, err
}

// lockTemporary locks a new file, so that RemoveLeftovers keeps it while it is open. It
// closes the file and returns fs.ErrExist if RemoveLeftovers has already locked or removed
// it. On a file system without locks it does nothing, since RemoveLeftovers removes nothing
// there.
func lockTemporary(f *os.File) error {
	isLockedByOther := isHeld(lockFile(f))
	opened, openedErr := f.Stat()
	atPath, atPathErr := os.Lstat(f.Name())
	isRemoved := openedErr != nil || atPathErr != nil || !os.SameFile(opened, atPath)
	if isLockedByOther || isRemoved {
		f.Close()
		return fs.ErrExist // createWithNewName tries another name
	}
	return nil
}

// mkdirTemporary creates a temporary directory beside path and returns its name.
func mkdirTemporary(path string) (string, error) {
	var dir string
	err := createWithNewName(path, func(name string) error {
		dir = name
		return os.Mkdir(name, 0o777)
	})
	return dir, err
}

// RemoveLeftovers removes the temporary files that killed writers have left in dir and its
// subdirectories. It keeps files that a running writer has open, and files that it may not
// remove.
func RemoveLeftovers(dir string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isTemporaryFile(d.Name()) {
			removeUnlocked(path)
		}
		return nil // go on after an error
	})
}

// isTemporaryFile reports whether name ends as the names of createTemporary do: with
// temporaryMark and a number of 32 bits.
func isTemporaryFile(name string) bool {
	i := strings.LastIndex(name, temporaryMark)
	if i < 0 {
		return false
	}
	_, err := strconv.ParseUint(name[i+len(temporaryMark):], 10, 32)
	return err == nil
}

// copyPermissions gives the file or directory newPath the permissions of oldPath, which it will
// replace. It does nothing if oldPath does not exist or is of another type. It ignores errors,
// since a file system without permissions may refuse the change.
func copyPermissions(newPath, oldPath string) {
	newInfo, newErr := os.Lstat(newPath)
	oldInfo, oldErr := os.Lstat(oldPath)
	if newErr != nil || oldErr != nil {
		return
	}
	haveSameType := newInfo.Mode().Type() == oldInfo.Mode().Type()
	if haveSameType {
		os.Chmod(newPath, oldInfo.Mode().Perm())
	}
}
