package cmd

import (
	"context"
	"errors"
	"fmt"
)

// errInterrupted is the error of a command that a signal ended.
var errInterrupted = errors.New("interrupted")

// errCellsFailed is the error of a study with failed cells. All its other cells are done.
var errCellsFailed = errors.New("cells failed")

// usageError is a mistake in the command line.
type usageError struct{ error }

// Unwrap returns the error that describes the mistake.
func (e usageError) Unwrap() error { return e.error }

// usageErrorf returns a usageError with a formatted message.
func usageErrorf(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// interruption returns errInterrupted for the error of a context that ended, and any other
// error unchanged.
func interruption(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return errInterrupted
	}
	return err
}

// await returns the results of f. It returns errInterrupted as soon as ctx ends, even if f goes
// on, and if f fails because ctx has ended. A command that is interrupted ends although f computes for long without a
// look at ctx; the caller must not use then what f changes.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		value, err = f()
		close(done)
	}()
	select {
	case <-done:
		return value, interruption(err)
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}
