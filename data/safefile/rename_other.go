//go:build !linux && !darwin

package safefile

import "errors"

// exchange swaps two names in one step, which this system cannot.
func exchange(a, b string) error { return errors.ErrUnsupported }

// renameNew renames to a name that nothing has; else the error wraps
// fs.ErrExist.
func renameNew(from, to string) error { return renameVacant(from, to) }
