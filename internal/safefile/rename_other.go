//go:build !linux && !darwin

package safefile

import "errors"

// Flags of renameWithFlag.
const (
	exchangeFlag  = 0
	noReplaceFlag = 0
)

// renameWithFlag always fails: the system has no such call.
func renameWithFlag(oldName, newName string, flag uint) error { return errors.ErrUnsupported }
