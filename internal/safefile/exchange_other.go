//go:build !linux && !darwin

package safefile

import "errors"

// exchange always fails: the system has no such call.
func exchange(a, b string) error { return errors.ErrUnsupported }
