package data

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
