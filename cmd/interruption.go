package cmd

import (
	"context"
	"errors"
)

// interruption is errInterrupted for the error of a context that ended, and any
// other error as it is.
func interruption(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return errInterrupted
	}
	return err
}

// await returns what f returns, or errInterrupted as soon as ctx ends, however
// long f goes on then.
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
		return value, err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}
