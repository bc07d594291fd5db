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
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}
