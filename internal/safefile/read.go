package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrTooLarge is wrapped by the error of a file that is larger than its reader
// takes.
var ErrTooLarge = errors.New("too large")

// Read returns the content of the regular file at path, which has at most
// limit bytes. A device, a pipe or a directory is an error before anything is
// read of it, and so is a larger file, with an error wrapping ErrTooLarge: what
// is no file of ours can neither keep its reader waiting nor fill its memory.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.all()
}

// ReadAll returns what is left of a stream, at most limit bytes; name is what
// errors call it. More is an error wrapping ErrTooLarge.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	return (&File{name: name, limit: limit, reader: r}).all()
}

// Open opens the file at path for a reader that goes through it piece by
// piece. The file is held to the same rules as by Read.
func Open(path string, limit int64) (*File, error) {
	before, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := fits(path, before, limit); err != nil { // opening a pipe would wait for its writer
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) { // replaced since it was looked at
		err = fits(path, info, limit)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{name: path, limit: limit, size: info.Size(), reader: f, places: f, closer: f}, nil
}

// File is an open file, or a stream, of a bounded size.
type File struct {
	name        string
	limit, size int64
	read        int64
	reader      io.Reader
	places      io.ReaderAt // nil: a stream
	closer      io.Closer
}

// Size is the number of bytes that the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// Read reads on. A file that has grown beyond the limit ends in an error
// wrapping ErrTooLarge.
func (f *File) Read(p []byte) (int, error) {
	if room := f.limit + 1 - f.read; int64(len(p)) > room { // one more than there may be, to notice it
		p = p[:room]
	}
	n, err := f.reader.Read(p)
	f.read += int64(n)
	if f.read > f.limit {
		return n - int(f.read-f.limit), tooLarge(f.name, "more", f.limit)
	}
	return n, err
}

// ReadAt reads at any place of a file as long as it was when it was opened.
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	return io.NewSectionReader(f.places, 0, f.size).ReadAt(p, at)
}

// Close closes the file.
func (f *File) Close() error { return f.closer.Close() }

func (f *File) all() ([]byte, error) {
	content := bytes.NewBuffer(make([]byte, 0, f.size+bytes.MinRead)) // room for the end to be found in
	if _, err := content.ReadFrom(f); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

func fits(path string, info os.FileInfo, limit int64) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s is a directory; want a file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is a device or a pipe; want a file", path)
	case info.Size() > limit:
		return tooLarge(path, fmt.Sprint(info.Size()), limit)
	}
	return nil
}

func tooLarge(name, size string, limit int64) error {
	return fmt.Errorf("%s is %w: it has %s bytes, want at most %d", name, ErrTooLarge, size, limit)
}
