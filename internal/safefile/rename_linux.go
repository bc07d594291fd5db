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
func renameWithFlag(oldName, newName string, flag uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, oldName, unix.AT_FDCWD, newName, flag)
	if err == unix.EINVAL { // the kernel knows the flag, and the file system does not support it
		err = unix.ENOTSUP
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: oldName, New: newName, Err: err}
	}
	return nil
}
