package safefile

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// openLock opens a file that nobody else may open to write or delete while it
// is open: the open file is the lock.
func openLock(path string) (*os.File, error) {
	f, err := open(path, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_READ,
		windows.OPEN_ALWAYS, windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, nil
}

// open opens a file with what of it is asked for and what others may do meanwhile.
func open(path string, access, share, disposition, flags uint32) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := windows.CreateFile(name, access, share, nil, disposition, flags, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}

func lockFile(*os.File) error { return nil }

func isHeld(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }

// renamesOpenFiles says that files can be renamed while they are open.
const renamesOpenFiles = false

// removeUnlocked removes nothing: a writer closes its file before it renames it, so a file that
// nobody has open may still be in use.
func removeUnlocked(path string) {}

func readLock(path string) ([]byte, error) {
	f, err := open(path, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, holderSize))
}

// remove closes the file, and deletes it if nobody else opened it since. The
// name is opened to delete and to share with nobody, so that a next holder either
// comes before and keeps it from being deleted, or makes it anew.
func (l *Lock) remove() error {
	if err := l.file.Close(); err != nil {
		return err
	}
	f, err := open(l.path, windows.DELETE, 0, windows.OPEN_EXISTING, windows.FILE_FLAG_DELETE_ON_CLOSE|windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err != nil {
		return nil // the next holder has it
	}
	return f.Close()
}
