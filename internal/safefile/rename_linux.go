package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// Flags of renameWithFlag.
const (
	exchangeFlag  = unix.RENAME_EXCHANGE
	noReplaceFlag = unix.RENAME_NOREPLACE
)

// renameWithFlag renames a file or directory with a flag of the system call.
func renameWithFlag(from, to string, flag uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flag)
	if err == unix.EINVAL { // the kernel knows the flag, and the file system does not support it
		err = unix.ENOTSUP
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
