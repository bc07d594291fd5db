package cmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"sml/data"
)

// showReading returns a context under which a table is read, and shows how much of it is read
// until stop is called.
func showReading(ctx context.Context, c *cli.Context, name string) (_ context.Context, stop func()) {
	stopNote := meanwhile(c, "reading "+name)
	view := newProgress(c, "reading "+name)
	ctx = data.WithProgress(ctx, func(read, size int64) {
		if size > 0 {
			view.At(int(read>>10), int(size>>10), "")
		} else {
			view.Count(int(read>>20), "MiB")
		}
	})
	return ctx, func() {
		view.End()
		stopNote()
	}
}
