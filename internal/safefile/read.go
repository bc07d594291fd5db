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
	return readAll(f, f.size)
}

// ReadAll returns the rest of a stream, which may have at most limit bytes. It returns an error that
// wraps ErrTooLarge if there are more. Errors call the stream by its name.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	return readAll(Limit(r, name, limit), 0)
}

// readAll returns the content of a reader. size is the expected number of bytes.
func readAll(r io.Reader, size int64) ([]byte, error) {
	// ReadFrom needs MinRead free bytes to find the end without growing the buffer.
	content := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := content.ReadFrom(r)
	return content.Bytes(), err
}

// Limit returns a reader of a stream, whose Read returns an error that wraps ErrTooLarge after limit bytes if
// there are more. Unlike io.LimitReader, it does not let a longer stream look complete. Errors call
// the stream by its name.
func Limit(r io.Reader, name string, limit int64) io.Reader {
	return &limitedReader{reader: r, name: name, limit: limit}
}

// limitedReader is the reader that Limit returns.
type limitedReader struct {
	reader io.Reader
	name   string
	limit  int64
	count  int64 // number of bytes that Read has read; limit + 1 if there are too many
}

// Read implements io.Reader.
func (l *limitedReader) Read(p []byte) (int, error) {
	allowed := l.limit + 1 - l.count // one byte more than the limit, to notice a longer stream
	if int64(len(p)) > allowed {
		p = p[:allowed]
	}
	n, err := l.reader.Read(p)
	l.count += int64(n)
	if l.count > l.limit {
		excess := int(l.count - l.limit)
		return n - excess, tooLargeError(l.name, "more", l.limit)
	}
	return n, err
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
		Reader:   Limit(f, path, limit),
		ReaderAt: io.NewSectionReader(f, 0, info.Size()),
		Closer:   f,
		size:     info.Size(),
	}, nil
}

// File is an open file with a limited number of bytes. Read returns an error that wraps ErrTooLarge if the file has
// grown beyond the limit; ReadAt reads the bytes that it had when it was opened.
type File struct {
	io.Reader
	io.ReaderAt
	io.Closer
	size int64 // number of bytes when the file was opened
}

// Size returns the number of bytes that the file had when it was opened.
func (f *File) Size() int64 { return f.size }

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
