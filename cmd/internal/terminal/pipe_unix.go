//go:build unix

package terminal

import (
	"os/signal"
	"syscall"
)

// IgnoreWriteSignals turns signals that would end the process into errors of writes: of a write
// to a pipe without a reader, and of a write to a file at its size limit.
func IgnoreWriteSignals() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }

// brokenPipeErrors are the errors of a write to a pipe without a reader.
var brokenPipeErrors = []error{syscall.EPIPE}
