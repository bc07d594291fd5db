package safefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps the names of two files or directories in one step. It returns an error that wraps
// errors.ErrUnsupported if the file system cannot do so.
func exchange(a, b string) error {
	if err := unix.RenamexNp(a, b, unix.RENAME_SWAP); err != nil {
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
	return nil
}
