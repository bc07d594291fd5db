package data

import "context"

// await returns what f returns, or ctx's error once ctx ends: f is then left to
// itself. It panics where f does.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
		panic any
	}
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			r.panic = recover()
			done <- r
		}()
		r.value, r.err = f()
	}()
	select {
	case r := <-done:
		if r.panic != nil {
			panic(r.panic)
		}
		return r.value, r.err
	case <-ctx.Done():
		return zero, ctx.Err()
	}
}
