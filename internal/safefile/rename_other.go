//go:build !linux && !darwin

package safefile

import "errors"

const swapped, noReplace = 0, 0

func renameAs(from, to string, flags uint) error { return errors.ErrUnsupported }
