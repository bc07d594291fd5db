package safefile

import (
	"errors"
	"io/fs"
	"os"
)

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
