package read

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// openFile opens a file and returns its size, 0 for a pipe or a device. It waits until ctx ends
// for a pipe that nobody writes to.
func openFile(ctx context.Context, path string) (*os.File, int64, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened)
	go func() {
		f, err := os.Open(path)
		select {
		case done <- opened{f, err}:
		case <-ctx.Done():
			f.Close()
		}
	}()
	var o opened
	select {
	case o = <-done:
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	if bad := (*fs.PathError)(nil); errors.As(o.err, &bad) {
		return nil, 0, fmt.Errorf("%s %s: %w", bad.Op, displayName(path), bad.Err)
	} else if o.err != nil {
		return nil, 0, o.err
	}
	info, err := o.f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory; a file is needed", displayName(path))
	}
	if err != nil {
		o.f.Close()
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return o.f, 0, nil
	}
	return o.f, info.Size(), nil
}

// openSheetOf opens the file of a path FILE.xlsx#SHEET, and returns the name of the sheet. The
// names of files may have a # too. If there is no such file, it returns the error missing.
func openFileOfSheet(ctx context.Context, path string, missing error) (f *os.File, size int64, sheet string, err error) {
	for at := range path {
		if path[at] != '#' || at == 0 {
			continue
		}
		if f, size, err = openFile(ctx, path[:at]); !errors.Is(err, fs.ErrNotExist) {
			return f, size, path[at+1:], err
		}
	}
	return nil, 0, "", missing
}
