package read

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// openFile opens a file for reading and returns its size in bytes, 0 for a pipe or a device. It waits
// for a pipe that nobody writes to, until ctx ends. It returns an error for a directory.
func openFile(ctx context.Context, path string) (f *os.File, size int64, err error) {
	f, err = openUntil(ctx, path)
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return nil, 0, fmt.Errorf("%s %s: %w", pathError.Op, displayName(path), pathError.Err)
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory; a file is needed", displayName(path))
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return f, 0, nil
	}
	return f, info.Size(), nil
}

// openUntil opens a file for reading. It returns the error of ctx if ctx ends before the file is open:
// opening a pipe waits for a program that writes to it. A file that is opened later is closed.
func openUntil(ctx context.Context, path string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result)
	go func() {
		f, err := os.Open(path)
		select {
		case opened <- result{f, err}:
		case <-ctx.Done():
			f.Close()
		}
	}()
	select {
	case r := <-opened:
		return r.file, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// openFileOfSheet opens the file of a path FILE.xlsx#SHEET, and returns its size and the name of the
// sheet. Names of files may have a # too, so that it tries to divide the path at each. If there is no
// such file, it returns the error notFound.
func openFileOfSheet(ctx context.Context, path string, notFound error) (f *os.File, size int64, sheet string, err error) {
	for i := range path {
		if path[i] != '#' || i == 0 {
			continue
		}
		f, size, err = openFile(ctx, path[:i])
		if !errors.Is(err, fs.ErrNotExist) {
			return f, size, path[i+1:], err
		}
	}
	return nil, 0, "", notFound
}
