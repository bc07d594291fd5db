package read

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// openFile opens a file and returns its size, 0 where it has none. A pipe that
// nobody writes to is waited for until ctx ends.
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
		return nil, 0, fmt.Errorf("%s %s: %w", bad.Op, show(path), bad.Err)
	} else if o.err != nil {
		return nil, 0, o.err
	}
	info, err := o.f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory; a file is needed", show(path))
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

// openSheetOf opens the file of FILE.xlsx#SHEET; a file's name may have that mark, too.
// Where there is none, the error is that of the whole.
func openSheetOf(ctx context.Context, path string, missing error) (f *os.File, size int64, sheet string, err error) {
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
