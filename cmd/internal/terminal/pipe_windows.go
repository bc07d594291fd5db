package terminal

import (
	"os/signal"
	"syscall"
)

// IgnoreWriteSignals turns a signal that would end the process into an error of a write to a pipe
// without a reader.
func IgnoreWriteSignals() { signal.Ignore(syscall.SIGPIPE) }

// errorNoData is the system's ERROR_NO_DATA, "the pipe is being closed".
const errorNoData syscall.Errno = 232

// brokenPipeErrors are the errors of a write to a pipe without a reader.
var brokenPipeErrors = []error{syscall.ERROR_BROKEN_PIPE, errorNoData}
