package safefile

import (
	"errors"
	"io/fs"
	"os"
)

// exchange swaps two names in one step. Systems and file systems that cannot say
// errors.ErrUnsupported.
func exchange(a, b string) error { return renameAs(a, b, swapped) }

// renameNew renames to a name that nothing has; else the error wraps
// fs.ErrExist.
func renameNew(from, to string) error {
	err := renameAs(from, to, noReplace)
	if errors.Is(err, errors.ErrUnsupported) {
		return renameVacant(from, to)
	}
	return err
}

// renameVacant is renameNew where the system has no such step. A file gets its
// new name as a second one, which fails if that is taken. Directories, and
// files where there are no second names, are renamed after a look; what comes
// there in between and is replaced all the same is a file or an empty directory.
func renameVacant(from, to string) error {
	if info, err := os.Lstat(from); err == nil && info.Mode().IsRegular() {
		switch err := os.Link(from, to); {
		case err == nil:
			return os.Remove(from)
		case errors.Is(err, fs.ErrExist):
			return err
		}
	}
	if err := Vacant(to); err != nil {
		return err
	}
	return os.Rename(from, to)
}
