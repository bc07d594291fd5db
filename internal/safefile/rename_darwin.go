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
func renameWithFlag(from, to string, flag uint32) error {
	if err := unix.RenamexNp(from, to, flag); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
