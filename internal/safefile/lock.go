package safefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Lock is a lock on a file, which one process at a time can hold. The operating system
// releases it when the process ends, however it ends.
type Lock struct {
	file     *os.File // open and locked
	path     string
	madeDirs []string // directories that Acquire made for the file, from outer to inner
}

// Holder describes the process that holds a lock. It is stored in the lock's file.
type Holder struct {
	Host    string    `json:"host"`    // name of the computer
	Process int       `json:"process"` // process id
	Since   time.Time `json:"since"`   // when the process acquired the lock
}

// HeldError is the error of Acquire if another process holds the lock. Its Holder is zero
// if the process has not written who it is.
type HeldError struct {
	Path string
	Holder
}

// Error names the lock's file and its holder.
func (h *HeldError) Error() string { return fmt.Sprintf("%s is held by %s", h.Path, h.Holder) }

// String describes the holder, such as "process 7 of host since 2026-01-02 03:04:05", or "another
// process" if it is not known.
func (h Holder) String() string {
	if h.Process == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d of %s since %s", h.Process, h.Host, h.Since.Local().Format(time.DateTime))
}

// errMoved means that the lock's file was removed or replaced while it was being locked.
var errMoved = errors.New("the lock's file has been moved")

// maxAcquireTries is the number of times that Acquire tries again after another process has removed
// the file meanwhile.
const maxAcquireTries = 100

// Acquire locks the file at path, and makes the file and its directories if necessary. It
// returns a *HeldError if another process holds the lock, and an error that wraps
// errors.ErrUnsupported if the file system has no locks. It also returns an error, and
// keeps the file, if the file at path is not a lock.
func Acquire(path string) (*Lock, error) {
	l := &Lock{path: path}
	for try := 1; ; try++ {
		err := l.makeDirs()
		if err == nil {
			err = l.openAndLock()
		}
		if err == nil {
			return l, nil
		}
		// The holder before removes the file when it releases the lock, and the directories that it made.
		wasRemoved := errors.Is(err, errMoved) || errors.Is(err, fs.ErrNotExist)
		if !wasRemoved || try > maxAcquireTries {
			l.removeDirs()
			return nil, err
		}
	}
}

// openAndLock opens and locks the file at the lock's path, and writes the holder into it.
func (l *Lock) openAndLock() error {
	f, err := openLock(l.path)
	if err != nil {
		return l.describeHolder(err)
	}
	if err := l.lockOpened(f); err != nil {
		info, statErr := f.Stat()
		isEmpty := statErr == nil && info.Size() == 0
		if isEmpty && errors.Is(err, errors.ErrUnsupported) {
			os.Remove(l.path) // openLock has made it, and it is of no use
		}
		f.Close()
		return err
	}
	l.file = f
	return nil
}

// lockOpened locks the open file f, checks that it is a lock and still at the lock's path,
// and writes the holder into it.
func (l *Lock) lockOpened(f *os.File) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if !opened.Mode().IsRegular() {
		return l.notALockError()
	}
	if err := lockFile(f); err != nil {
		return l.describeHolder(err)
	}
	atPath, err := os.Lstat(l.path)
	if err != nil || !os.SameFile(opened, atPath) {
		return errMoved // by its last holder, between opening and locking
	}
	text, err := io.ReadAll(io.LimitReader(f, maxHolderSize))
	if err != nil {
		return err
	}
	_, hasHolder := parseHolder(text)
	isNew := len(text) == 0 // nobody has held it
	if !hasHolder && !isNew {
		return l.notALockError()
	}
	return writeHolder(f)
}

// notALockError returns the error for a path at which there is something else than a lock.
func (l *Lock) notALockError() error {
	return fmt.Errorf("cannot lock %s: it exists and is not a lock file; move it away", l.path)
}

// writeHolder replaces the content of the locked file f by a description of this process. The content is only shown to
// people, so writeHolder ignores that it cannot be written, as on a full disk.
func writeHolder(f *os.File) error {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	holder := Holder{
		Host:    host,
		Process: os.Getpid(),
		Since:   time.Now().UTC().Truncate(time.Second),
	}
	text, err := json.Marshal(holder)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	f.WriteAt(append(text, '\n'), 0)
	return nil
}

// describeHolder returns a *HeldError if err means that another process holds the lock, with the holder if it is known. It
// returns err itself otherwise.
func (l *Lock) describeHolder(err error) error {
	if !isHeld(err) {
		return err
	}
	held := &HeldError{Path: l.path}
	text, err := readLock(l.path)
	if holder, ok := parseHolder(text); err == nil && ok {
		held.Holder = holder
	}
	return held
}

// maxHolderSize is the maximum number of bytes to read from a lock's file. A Holder is shorter.
const maxHolderSize = 4096

// parseHolder returns the holder in the content of a lock's file. ok is false if the content is
// something else.
func parseHolder(text []byte) (h Holder, ok bool) {
	err := json.Unmarshal(text, &h)
	return h, err == nil && h.Process > 0 && !h.Since.IsZero()
}

// Release releases the lock and removes its file. It also removes the directories that
// Acquire made, if they are empty.
func (l *Lock) Release() error {
	defer l.removeDirs()
	return l.remove()
}

// makeDirs makes the directories of the lock's path that do not exist, and adds them to
// l.madeDirs.
func (l *Lock) makeDirs() error {
	for _, dir := range slices.Backward(missingDirs(filepath.Dir(l.path))) {
		err := os.Mkdir(dir, 0o777)
		if err == nil {
			l.madeDirs = append(l.madeDirs, dir)
		} else if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// missingDirs returns dir and its parents, from inner to outer, up to the first that
// exists.
func missingDirs(dir string) []string {
	var missing []string
	for {
		_, err := os.Stat(dir)
		parent := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) || parent == dir {
			return missing
		}
		missing = append(missing, dir)
		dir = parent
	}
}

// removeDirs removes the directories that makeDirs made, if they are empty.
func (l *Lock) removeDirs() {
	for _, dir := range slices.Backward(l.madeDirs) {
		os.Remove(dir) // fails if the directory contains anything
	}
	l.madeDirs = nil
}
