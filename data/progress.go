package data

import "context"

// Progress is called now and then while a file is read, with the number of bytes read and
// the size of the file, 0 if it is not known.
type Progress func(read, size int64)

type progressKey struct{}

// WithProgress returns a context under which files are read with that progress.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// progressFrom returns the progress of a context, which does nothing if none was set.
func progressFrom(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok {
		return p
	}
	return func(int64, int64) {}
}
