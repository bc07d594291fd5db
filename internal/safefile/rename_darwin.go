package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// Flags of renameWithFlag.
const (
	exchangeFlag  = unix.RENAME_SWAP
	noReplaceFlag = unix.RENAME_EXCL
)

// renameWithFlag renames a file or directory with a flag of the system call.
func renameWithFlag(oldName, newName string, flag uint32) error {
	if err := unix.RenamexNp(oldName, newName, flag); err != nil {
		return &os.LinkError{Op: "rename", Old: oldName, New: newName, Err: err}
	}
	return nil
}
