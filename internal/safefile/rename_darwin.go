package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

const swapped, noReplace = unix.RENAME_SWAP, unix.RENAME_EXCL

func renameAs(from, to string, flags uint32) error {
	if err := unix.RenamexNp(from, to, flags); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
