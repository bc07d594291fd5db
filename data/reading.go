package data

import "context"

// Reading is how files are read: the tables are the same whatever it says.
type Reading struct {
	// Cache keeps a table that is read from a file beside that, for the next time: see
	// CacheName.
	Cache bool

	Progress func(read, size int64) // is told of bytes now and then; size 0: it is not known
	Warn     func(error)            // is told why a table could not be kept
}

type readingKey struct{}

// WithReading returns a context under which files are read so.
func WithReading(ctx context.Context, r Reading) context.Context {
	return context.WithValue(ctx, readingKey{}, r)
}

// readingOf is that of the context, in which everything can be called.
func readingOf(ctx context.Context) Reading {
	r, _ := ctx.Value(readingKey{}).(Reading)
	if r.Progress == nil {
		r.Progress = func(int64, int64) {}
	}
	if r.Warn == nil {
		r.Warn = func(error) {}
	}
	return r
}
