package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Path returns a path without ".." behind a name. For the system, ".." behind a
// symbolic link is the parent of what that leads to; for package filepath, which
// joins paths and cuts them, it is the link's own. Other paths, and those to
// nothing, are returned as they are.
func Path(path string) string {
	if filepath.Separator != '/' { // where it is the link's own for the system, too
		return path
	}
	parts := strings.Split(path, "/")
	named, end := false, 0
	for i, part := range parts {
		if part == ".." && named {
			end = i + 1
		}
		named = named || part != "" && part != "." && part != ".."
	}
	if end == 0 {
		return path
	}
	parent, err := filepath.EvalSymlinks(strings.Join(parts[:end], "/"))
	if err != nil {
		return path
	}
	return strings.Join(append([]string{parent}, parts[end:]...), "/")
}

// Vacant returns an error wrapping fs.ErrExist when there is something at path.
func Vacant(path string) error {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}
