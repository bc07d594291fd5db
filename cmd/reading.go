package cmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"sml/data"
)

// reading returns a context under which a command reads a table and shows how much of it is
// read, until stop is called.
func reading(c *cli.Context, name string) (ctx context.Context, stop func()) {
	return readingUnder(c.Context, c, name)
}

// readingUnder is reading under a context other than the command's own.
func readingUnder(ctx context.Context, c *cli.Context, name string) (_ context.Context, stop func()) {
	return tableProgress(ctx, c, "reading "+name)
}

// tableProgress returns a context under which package data reports the progress of an
// action, until stop is called.
func tableProgress(ctx context.Context, c *cli.Context, action string) (_ context.Context, stop func()) {
	said := meanwhile(c, action)
	view := newProgress(c.App.ErrWriter, action, c.Bool("quiet"))
	ctx = data.WithProgress(ctx, func(read, size int64) {
		if size > 0 {
			view.at(int(read>>10), int(size>>10), "")
		} else {
			view.count(int(read>>20), "MiB")
		}
	})
	return ctx, func() {
		view.end()
		said()
	}
}
