package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps the names of two files or directories in one step. It returns an error that wraps
// errors.ErrUnsupported if the file system cannot do so.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if err == unix.EINVAL { // the kernel knows the flag, and the file system does not support it
		err = unix.ENOTSUP
	}
	if err != nil {
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
	return nil
}
