//go:build unix

package terminal

import (
	"os/signal"
	"syscall"
)

// IgnoreWriteSignals lets writes fail that would otherwise end the process: writes to a pipe
// without a reader, and to a file that has reached its size limit.
func IgnoreWriteSignals() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }

// brokenPipeErrors are the errors of a write to a pipe without a reader.
var brokenPipeErrors = []error{syscall.EPIPE}
