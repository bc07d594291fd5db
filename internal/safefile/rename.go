package safefile

import (
	"errors"
	"io/fs"
	"os"
)

// renameNew renames a file or directory. It returns an error that wraps fs.ErrExist if something has the new name.
// It gives a file its new name as a second name (a hard link), which fails if the name is taken. Directories, and files
// on a file system without links, are renamed after a check: a file or an empty directory made at the new
// name after the check is replaced.
func renameNew(oldName, newName string) error {
	info, err := os.Lstat(oldName)
	if err == nil && info.Mode().IsRegular() {
		linkErr := os.Link(oldName, newName)
		if linkErr == nil {
			return os.Remove(oldName)
		}
		if errors.Is(linkErr, fs.ErrExist) {
			return linkErr
		}
	}
	if err := CheckAbsent(newName); err != nil {
		return err
	}
	return os.Rename(oldName, newName)
}
