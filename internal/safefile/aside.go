package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
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
		return err
	})
	return f, err
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
