package terminal

import (
	"errors"
	"io"
	"slices"
)

// ErrReaderGone is the error of a write to an Output whose reader has closed it, as head does
// when it has its lines.
var ErrReaderGone = errors.New("the reader of standard output is gone")

// Output is the standard output of a command. It keeps its first error, so that a command
// which ignores errors of its writes still fails.
type Output struct {
	out io.Writer
	err error
}

// NewOutput returns an output that writes to out.
func NewOutput(out io.Writer) *Output { return &Output{out: out} }

// Unwrap returns the writer that w writes to.
func (w *Output) Unwrap() io.Writer { return w.out }

// Err returns the first error of a write, ErrReaderGone if nobody reads the output any more.
func (w *Output) Err() error { return w.err }

// Write writes p. It returns the first error of all writes, and writes nothing after an error.
func (w *Output) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(p)
	if isBrokenPipe(err) {
		err = ErrReaderGone
	}
	w.err = err
	return n, err
}

// isBrokenPipe reports whether err is the error of a write to a pipe without a reader.
func isBrokenPipe(err error) bool {
	return slices.ContainsFunc(brokenPipeErrors, func(code error) bool { return errors.Is(err, code) })
}
