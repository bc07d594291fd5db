package data

import "context"

// progressKey is the key of the progress function in a context.
type progressKey struct{}

// WithProgress returns a context under which progress is called now and then while a file is
// read, with the number of bytes read and the size of the file, 0 if it is not known.
func WithProgress(ctx context.Context, progress func(read, size int64)) context.Context {
	return context.WithValue(ctx, progressKey{}, progress)
}

// ProgressFrom returns the progress function of a context, which does nothing if none was set.
func ProgressFrom(ctx context.Context) func(read, size int64) {
	progress, ok := ctx.Value(progressKey{}).(func(read, size int64))
	if !ok {
		return func(int64, int64) {}
	}
	return progress
}
