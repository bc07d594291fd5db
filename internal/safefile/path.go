package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ResolveDotDot returns a path to the same file without ".." after a name. Functions of package
// filepath shorten a/.. to nothing, which may lead to another file: for the system, ".." after a
// symbolic link is the parent of the directory that the link leads to. ResolveDotDot returns paths without ".." after a
// name, and paths whose directories do not exist, unchanged.
func ResolveDotDot(path string) string {
	if filepath.Separator != '/' { // Windows shortens a/.. like package filepath
		return path
	}
	parts := strings.Split(path, "/")
	end := endOfDotDots(parts)
	if end == 0 {
		return path
	}
	parent, err := filepath.EvalSymlinks(strings.Join(parts[:end], "/"))
	if err != nil {
		return path
	}
	return strings.Join(append([]string{parent}, parts[end:]...), "/")
}

// endOfDotDots returns the number of parts of a path up to and including the last ".." that comes
// after a name, or 0 if there is none.
func endOfDotDots(parts []string) int {
	isAfterName := false
	end := 0
	for i, part := range parts {
		if part == ".." && isAfterName {
			end = i + 1
		}
		if part != "" && part != "." && part != ".." {
			isAfterName = true
		}
	}
	return end
}

// CheckAbsent returns an error that wraps fs.ErrExist if something exists at path.
func CheckAbsent(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
