package safefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one step. File systems that cannot say
// errors.ErrUnsupported.
func exchange(a, b string) error { return renameat(a, b, unix.RENAME_EXCHANGE) }

// renameNew renames to a name that nothing has; else the error wraps
// fs.ErrExist.
func renameNew(from, to string) error {
	err := renameat(from, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, errors.ErrUnsupported) {
		return renameVacant(from, to)
	}
	return err
}

func renameat(from, to string, flags uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	if err == unix.EINVAL { // says the file system; the system call itself is known
		err = unix.ENOTSUP
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
