package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// SameFile reports whether two paths lead to the same regular file or directory, also through symbolic or hard links, or
// would lead to the same file if it existed. It returns false for devices and pipes, which are not replaced.
func SameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		isReplaced := infoA.IsDir() || infoA.Mode().IsRegular()
		return isReplaced && os.SameFile(infoA, infoB)
	}
	bothAbsent := errors.Is(errA, fs.ErrNotExist) && errors.Is(errB, fs.ErrNotExist)
	if !bothAbsent || a == "" || b == "" {
		return false
	}
	pathA, errA := newPath(a)
	pathB, errB := newPath(b)
	return errA == nil && errB == nil && pathA == pathB
}

// newPath returns the absolute path, without links, of a file that does not exist yet.
func newPath(path string) (string, error) {
	path = ResolveDotDot(followLinks(path))
	parent, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	return filepath.Abs(filepath.Join(parent, filepath.Base(path)))
}
