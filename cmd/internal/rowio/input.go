package rowio

import (
	"context"
	"io"
	"os"

	"sml/data"
	"sml/evaluation/experiment"
)

// Source reads a table.
type Source func(context.Context, data.Options) (*data.Table, error)

// FileSource returns a source that reads a file; stdin, once, if the file is "-".
func FileSource(stdin io.Reader, file string) Source {
	return func(ctx context.Context, o data.Options) (*data.Table, error) {
		if file == "-" {
			return data.Read(ctx, stdin, experiment.StandardInput, o)
		}
		return data.ReadFile(ctx, file, o)
	}
}

// RepeatableSource returns a source that reads stdin as often as it is called, until done is
// called. A temporary file keeps the content of a pipe.
func RepeatableSource(stdin io.Reader) (read Source, done func(), err error) {
	done = func() {}
	f, ok := stdin.(*os.File)
	if ok {
		_, err := f.Seek(0, io.SeekStart)
		ok = err == nil
	}
	if !ok {
		if f, err = os.CreateTemp("", "sml-"); err != nil {
			return nil, done, err
		}
		done = func() {
			f.Close()
			os.Remove(f.Name())
		}
		if _, err := io.Copy(f, stdin); err != nil {
			return nil, done, err
		}
	}
	return func(ctx context.Context, o data.Options) (*data.Table, error) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		return data.Read(ctx, f, experiment.StandardInput, o)
	}, done, nil
}
