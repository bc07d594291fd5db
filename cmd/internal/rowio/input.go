package rowio

import (
	"context"
	"io"
	"os"

	"sml/data"
	"sml/data/read"
	"sml/evaluation/experiment"
)

// Source reads a table with the given options.
type Source func(context.Context, read.Options) (*data.Table, error)

// FileSource returns a source that reads a file. If the file is "-", it reads stdin, and may be called
// only once.
func FileSource(stdin io.Reader, file string) Source {
	return func(ctx context.Context, o read.Options) (*data.Table, error) {
		if file == "-" {
			return read.All(ctx, stdin, experiment.StandardInput, o)
		}
		return read.File(ctx, file, o)
	}
}

// RepeatableSource returns a source that reads the whole of stdin each time it is called, until
// done is called. If stdin is a pipe, which can be read only once, RepeatableSource copies it to a
// temporary file, which done removes. Call done also after an error.
func RepeatableSource(stdin io.Reader) (source Source, done func(), err error) {
	file, isSeekable := seekableFile(stdin)
	done = func() {} // a file of the user stays
	if !isSeekable {
		file, err = os.CreateTemp("", "sml-")
		if err != nil {
			return nil, done, err
		}
		done = func() {
			file.Close()
			os.Remove(file.Name())
		}
		if _, err := io.Copy(file, stdin); err != nil {
			return nil, done, err
		}
	}
	source = func(ctx context.Context, o read.Options) (*data.Table, error) {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		return read.All(ctx, file, experiment.StandardInput, o)
	}
	return source, done, nil
}

// seekableFile returns r as a file at its beginning, and whether r is a file that can be read again,
// unlike a pipe.
func seekableFile(r io.Reader) (file *os.File, isSeekable bool) {
	file, isFile := r.(*os.File)
	if !isFile {
		return nil, false
	}
	_, err := file.Seek(0, io.SeekStart)
	return file, err == nil
}
