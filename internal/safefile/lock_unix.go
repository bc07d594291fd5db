//go:build unix

package safefile

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

func openLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o666)
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EISDIR) {
		err = &os.PathError{Op: "lock", Path: path, Err: errors.New("something else is in the way")}
	}
	return f, err
}

// lockFile locks without waiting. The lock belongs to the open file and ends
// with it.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.ENOLCK) { // a network file system without locks
		err = unix.ENOTSUP
	}
	if err != nil {
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}

func isHeld(err error) bool { return errors.Is(err, unix.EWOULDBLOCK) }

// renamesOpenFiles says that files can be renamed while they are open.
const renamesOpenFiles = true

// removeUnlocked removes a file unless a process has locked it.
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

func readLock(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, holderSize))
}

// remove deletes the file while the lock is held: whoever opened it before
// finds that it has lost its name.
func (l *Lock) remove() error {
	defer l.file.Close()
	opened, err := l.file.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Lstat(l.path); err != nil || !os.SameFile(opened, named) {
		return nil // somebody else removed it
	}
	return os.Remove(l.path)
}
