package safefile

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// openLock opens the file of a lock, and makes it if it does not exist. While it is open, no other
// process can open it for writing or delete it: the open file is the lock.
func openLock(path string) (*os.File, error) {
	f, err := openShared(path, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_READ,
		windows.OPEN_ALWAYS, windows.FILE_ATTRIBUTE_NORMAL|windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, nil
}

// openShared opens a file by CreateFile: access is what this process may do with the file, share
// what others may do meanwhile, and disposition whether the file is made.
func openShared(path string, access, share, disposition, flags uint32) (*os.File, error) {
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

// lockFile does nothing: openLock has locked the file.
func lockFile(*os.File) error { return nil }

// isHeld reports whether err means that another process has opened the file as a lock.
func isHeld(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }

// canRenameOpenFiles is true where the system can rename an open file.
const canRenameOpenFiles = false

// removeUnlocked removes nothing: a writer closes its file before it renames it, so a file that
// nobody has open may still be in use.
func removeUnlocked(path string) {}

// readLock returns the content of a lock's file, at most maxHolderSize bytes.
func readLock(path string) ([]byte, error) {
	f, err := openShared(path, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxHolderSize))
}

// remove closes the lock's file, and deletes it unless another process has opened it since. To
// delete the file, remove opens it so that nobody else can: a new holder either opens the file
// before, so that it is kept, or makes a new one afterwards.
func (l *Lock) remove() error {
	if err := l.file.Close(); err != nil {
		return err
	}
	f, err := openShared(l.path, windows.DELETE, 0, windows.OPEN_EXISTING, windows.FILE_FLAG_DELETE_ON_CLOSE|windows.FILE_FLAG_OPEN_REPARSE_POINT)
	if err != nil {
		return nil // the next holder has it
	}
	return f.Close()
}
