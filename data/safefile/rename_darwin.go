package safefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one step. File systems that cannot say
// errors.ErrUnsupported.
func exchange(a, b string) error { return renamex(a, b, unix.RENAME_SWAP) }

// renameNew renames to a name that nothing has; else the error wraps
// fs.ErrExist.
func renameNew(from, to string) error {
	err := renamex(from, to, unix.RENAME_EXCL)
	if errors.Is(err, errors.ErrUnsupported) {
		return renameVacant(from, to)
	}
	return err
}

func renamex(from, to string, flags uint32) error {
	if err := unix.RenamexNp(from, to, flags); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
