package cmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"sml/data"
)

func cacheFlag() cli.Flag {
	return &cli.BoolFlag{Name: "cache", Usage: "save the table as FILE" + data.CacheName + ", and read that copy as long as FILE does not change"}
}

// reading returns a context under which a command reads a table, and says how far it
// is until stop.
func reading(c *cli.Context, name string) (ctx context.Context, stop func()) {
	return readingUnder(c.Context, c, name)
}

// readingUnder is reading under a context that is not the command's own.
func readingUnder(ctx context.Context, c *cli.Context, name string) (_ context.Context, stop func()) {
	said := meanwhile(c, "reading "+name)
	view := newProgress(c, "reading "+name)
	ctx = data.WithReading(ctx, data.Reading{
		Cache: c.Bool("cache"),
		Progress: func(read, size int64) {
			if size > 0 {
				view.At(int(read>>10), int(size>>10), "")
			} else {
				view.Count(int(read>>20), "MiB")
			}
		},
		Warn: func(err error) { note(c, "%v", err) },
	})
	return ctx, func() {
		view.End()
		said()
	}
}
