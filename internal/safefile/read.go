package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrTooLarge is wrapped by the errors for files and streams that have more bytes than the limit of
// their reader.
var ErrTooLarge = errors.New("too large")

// Read returns the content of the regular file at path, which may have at most limit bytes. It
// returns an error before reading if path is a directory, a device or a pipe, which might never end,
// or if the file is larger; that error wraps ErrTooLarge.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.readAll()
}

// ReadAll returns the rest of a stream, which may have at most limit bytes. It returns an error that
// wraps ErrTooLarge if there are more. Errors call the stream by its name.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	return Limit(r, name, limit).readAll()
}

// Limit returns a reader of a stream, whose Read returns an error that wraps ErrTooLarge after limit bytes if
// there are more. Unlike io.LimitReader, it does not let a longer stream look complete. Errors call
// the stream by its name. The result has neither ReadAt nor Close.
func Limit(r io.Reader, name string, limit int64) *File {
	return &File{name: name, limit: limit, reader: r}
}

// Open opens the file at path to be read in parts. It returns the same errors as Read.
func Open(path string, limit int64) (*File, error) {
	before, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkFile(path, before, limit); err != nil { // before opening, since opening a pipe would wait for its writer
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) { // another file has replaced the checked one
		err = checkFile(path, info, limit)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{
		name:     path,
		limit:    limit,
		size:     info.Size(),
		reader:   f,
		readerAt: f,
		closer:   f,
	}, nil
}

// File is an open file or a stream with a limited number of bytes.
type File struct {
	name     string      // path, or name of the stream, for errors
	limit    int64       // largest number of bytes that may be read
	size     int64       // number of bytes when the file was opened; 0 for a stream
	count    int64       // number of bytes that Read has read; limit + 1 if there are too many
	reader   io.Reader   // source of Read
	readerAt io.ReaderAt // source of ReadAt; nil for a stream
	closer   io.Closer   // nil for a stream
}

// Size returns the number of bytes that the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// Read implements io.Reader. It returns an error that wraps ErrTooLarge after the first limit bytes
// if the file has grown beyond the limit.
func (f *File) Read(p []byte) (int, error) {
	allowed := f.limit + 1 - f.count // one byte more than the limit, to notice a larger file
	if int64(len(p)) > allowed {
		p = p[:allowed]
	}
	n, err := f.reader.Read(p)
	f.count += int64(n)
	if f.count > f.limit {
		excess := int(f.count - f.limit)
		return n - excess, tooLargeError(f.name, "more", f.limit)
	}
	return n, err
}

// ReadAt implements io.ReaderAt for the bytes that the file had when it was opened. It panics for a
// stream.
func (f *File) ReadAt(p []byte, offset int64) (int, error) {
	return io.NewSectionReader(f.readerAt, 0, f.size).ReadAt(p, offset)
}

// Close closes the file.
func (f *File) Close() error { return f.closer.Close() }

// readAll returns the rest of the file or stream. It returns an error that wraps ErrTooLarge if there are
// more bytes than the limit.
func (f *File) readAll() ([]byte, error) {
	// ReadFrom needs MinRead free bytes to find the end without growing the buffer.
	content := bytes.NewBuffer(make([]byte, 0, f.size+bytes.MinRead))
	if _, err := content.ReadFrom(f); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// checkFile returns an error unless info describes a regular file of at most limit bytes.
func checkFile(path string, info os.FileInfo, limit int64) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s is a directory; want a file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is a device or a pipe; want a file", path)
	case info.Size() > limit:
		return tooLargeError(path, fmt.Sprint(info.Size()), limit)
	}
	return nil
}

// tooLargeError returns an error that wraps ErrTooLarge. size is a number of bytes, or "more".
func tooLargeError(name, size string, limit int64) error {
	return fmt.Errorf("%s is %w: it has %s bytes, want at most %d", name, ErrTooLarge, size, limit)
}
