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

// Lock is held by one process at a time. The operating system holds it, so it
// is free again when the process ends, however that ends.
type Lock struct {
	file *os.File
	path string
	made []string // folders that were made for it, inner ones last
}

// Holder is who has a lock.
type Holder struct {
	Host    string    `json:"host"`
	Process int       `json:"process"`
	Since   time.Time `json:"since"`
}

// Held is the error of Acquire for a lock that another process has. The
// Holder is zero if it does not say who it is.
type Held struct {
	Path string
	Holder
}

func (h *Held) Error() string { return fmt.Sprintf("%s is held by %s", h.Path, h.Holder) }

func (h Holder) String() string {
	if h.Process == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d of %s since %s", h.Process, h.Host, h.Since.Local().Format(time.DateTime))
}

var errMoved = errors.New("the lock's file has been moved")

// Acquire takes the lock that the file at path stands for, making the file and
// its folder. The error is a *Held if another process has it, and wraps
// errors.ErrUnsupported where the file system has no locks. A file that is
// there and no lock is an error too, and stays as it is.
func Acquire(path string) (*Lock, error) {
	l := &Lock{path: path}
	for tries := 0; ; tries++ {
		err := l.makeFolder()
		if err == nil {
			err = l.take()
		}
		if err == nil {
			return l, nil
		}
		// Another holder may be removing its lock, or the folder of it.
		if again := errors.Is(err, errMoved) || errors.Is(err, fs.ErrNotExist); !again || tries == 100 {
			l.removeFolders()
			return nil, err
		}
	}
}

// take opens and locks the file, and writes down who has it.
func (l *Lock) take() error {
	f, err := openLock(l.path)
	if err != nil {
		return l.refusal(err)
	}
	if err := l.claim(f); err != nil {
		if info, statErr := f.Stat(); errors.Is(err, errors.ErrUnsupported) && statErr == nil && info.Size() == 0 {
			os.Remove(l.path)
		}
		f.Close()
		return err
	}
	l.file = f
	return nil
}

func (l *Lock) claim(f *os.File) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if !opened.Mode().IsRegular() {
		return fmt.Errorf("%s is in the way: a lock would go there", l.path)
	}
	if err := lockFile(f); err != nil {
		return l.refusal(err)
	}
	named, err := os.Lstat(l.path)
	if err != nil || !os.SameFile(opened, named) {
		return errMoved // by the one that had it, just before
	}
	if before, err := io.ReadAll(io.LimitReader(f, holderSize)); err != nil {
		return err
	} else if _, ok := readHolder(before); !ok && len(before) > 0 {
		return fmt.Errorf("%s is in the way: a lock would go there", l.path)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	text, err := json.Marshal(Holder{Host: host, Process: os.Getpid(), Since: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	// A full disk may cut short who has it; nothing else depends on it.
	f.WriteAt(append(text, '\n'), 0)
	return nil
}

// refusal says who has the lock, if that is why it was refused.
func (l *Lock) refusal(err error) error {
	if !isHeld(err) {
		return err
	}
	held := &Held{Path: l.path}
	for range 10 {
		text, err := readLock(l.path)
		if err != nil {
			break
		}
		if h, ok := readHolder(text); ok {
			held.Holder = h
			break
		}
		time.Sleep(10 * time.Millisecond) // it is just being written
	}
	return held
}

// holderSize is more than a Holder takes.
const holderSize = 4096

func readHolder(text []byte) (h Holder, ok bool) {
	err := json.Unmarshal(text, &h)
	return h, err == nil && h.Process > 0 && !h.Since.IsZero()
}

// Release gives the lock back and removes its file, and the folders that were
// made for it if nothing came into them.
func (l *Lock) Release() error {
	defer l.removeFolders()
	return l.remove()
}

func (l *Lock) makeFolder() error {
	var missing []string
	for dir := filepath.Dir(l.path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		switch err := os.Mkdir(dir, 0o777); {
		case err == nil:
			l.made = append(l.made, dir)
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
	return nil
}

func (l *Lock) removeFolders() {
	for _, dir := range slices.Backward(l.made) {
		os.Remove(dir) // fails if there is anything in it
	}
	l.made = nil
}
