//go:build unix

package safefile

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// openLock opens the file of a lock, and makes it if it does not exist. It follows no symbolic
// link and does not wait for the other end of a pipe.
func openLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o666)
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EISDIR) { // a symbolic link, or a directory
		err = &os.PathError{Op: "lock", Path: path, Err: errors.New("it exists and is not a lock file; move it away")}
	}
	return f, err
}

// lockFile locks an open file without waiting. The lock ends when the file is closed. The error
// wraps errors.ErrUnsupported if the file system has no locks; isHeld recognises the error for a
// file that another process has locked.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.ENOLCK) { // as network file systems without locks return
		err = unix.ENOTSUP
	}
	if err != nil {
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}

// isHeld reports whether err means that another process has locked the file.
func isHeld(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) }

// canRenameOpenFiles is true where the system can rename an open file.
const canRenameOpenFiles = true

// removeUnlocked removes a file unless a process has locked it, as writers lock their temporary files.
// It ignores errors.
func removeUnlocked(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if lockFile(f) == nil {
		os.Remove(path)
	}
}

// readLock returns the content of a lock's file, at most maxHolderSize bytes.
func readLock(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxHolderSize))
}

// remove deletes the lock's file and then closes it, which releases the lock. A process that has
// opened the same file meanwhile finds that it is no longer at its path.
func (l *Lock) remove() error {
	defer l.file.Close()
	opened, err := l.file.Stat()
	if err != nil {
		return err
	}
	atPath, err := os.Lstat(l.path)
	if err != nil || !os.SameFile(opened, atPath) {
		return nil // it has been removed or replaced already
	}
	return os.Remove(l.path)
}
