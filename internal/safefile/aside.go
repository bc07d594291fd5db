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

// asideMark is part of the name of everything that is written aside. What an
// interrupted writer leaves behind carries it and can be deleted.
const asideMark = ".aside-"

// asideName is a name beside path that nothing else is likely to have, and no
// longer than the file systems allow.
func asideName(path string) string {
	base := filepath.Base(path)
	if len(base) > 100 {
		base = strings.ToValidUTF8(base[:100], "") // without half a rune
	}
	return filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%s%d", base, asideMark, rand.Uint32()))
}

// aside calls make with names beside path until one is new.
func aside(path string, make func(name string) error) error {
	for {
		err := make(asideName(path))
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			err = &fs.PathError{Op: "write", Path: path, Err: p.Err}
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

func createAside(path string, mode fs.FileMode) (f *os.File, err error) {
	err = aside(path, func(name string) error {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			err = lockAside(f)
		}
		return err
	})
	return f, err
}

// lockAside locks a new file, so that RemoveLeftovers keeps it while it is open. It returns an
// error wrapping fs.ErrExist, and closes the file, if RemoveLeftovers was faster. On a file system
// without locks it does nothing, since RemoveLeftovers removes nothing there.
func lockAside(f *os.File) error {
	err := lockFile(f)
	opened, openedErr := f.Stat()
	named, namedErr := os.Lstat(f.Name())
	if isHeld(err) || openedErr != nil || namedErr != nil || !os.SameFile(opened, named) {
		f.Close()
		return fs.ErrExist
	}
	return nil
}

// RemoveLeftovers removes the files that killed writers have left in dir and its folders. It
// keeps files in use, and files without permission to remove them.
func RemoveLeftovers(dir string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isAsideFile(d.Name()) {
			removeUnlocked(path)
		}
		return nil
	})
}

// isAsideFile reports whether createAside makes files of that name.
func isAsideFile(name string) bool {
	i := strings.LastIndex(name, asideMark)
	if i < 0 {
		return false
	}
	_, err := strconv.ParseUint(name[i+len(asideMark):], 10, 32)
	return err == nil
}

func mkdirAside(path string) (dir string, err error) {
	err = aside(path, func(name string) error {
		dir = name
		return os.Mkdir(name, 0o777)
	})
	return dir, err
}

// IsAside tells whether a file or directory of that name was being written
// when its writer was interrupted.
func IsAside(name string) bool { return strings.Contains(name, asideMark) }

// keepMode gives the file or directory fresh the permissions of old, which it will replace, if
// old exists. It ignores errors, since a system without permissions may refuse.
func keepMode(fresh, old string) {
	a, err := os.Lstat(fresh)
	b, none := os.Lstat(old)
	if err == nil && none == nil && a.Mode().Type() == b.Mode().Type() {
		os.Chmod(fresh, b.Mode().Perm())
	}
}
