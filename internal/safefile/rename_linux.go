package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

const swapped, noReplace = unix.RENAME_EXCHANGE, unix.RENAME_NOREPLACE

func renameAs(from, to string, flags uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	if err == unix.EINVAL { // says the file system; the system call itself is known
		err = unix.ENOTSUP
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
