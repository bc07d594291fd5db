package cmd

import (
	"context"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/evaluation/experiment"
)

// reader reads a table from somewhere.
type reader func(context.Context, data.Options) (*data.Table, error)

// readerOf reads a file, or standard input if that is called "-", which can be read once.
func readerOf(c *cli.Context, file string) reader {
	return func(ctx context.Context, o data.Options) (*data.Table, error) {
		if file == "-" {
			return data.Read(ctx, c.App.Reader, experiment.StandardInput, o)
		}
		return data.ReadFile(ctx, file, o)
	}
}

// rereading reads standard input as often as it is asked to, until done: what comes
// from a pipe is kept in a temporary file.
func rereading(c *cli.Context) (read reader, done func(), err error) {
	done = func() {}
	f, ok := c.App.Reader.(*os.File)
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
		if _, err := io.Copy(f, c.App.Reader); err != nil {
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
