package cmd

import (
	"os"
	"syscall"
)

// writeSignals are the signals of a write to a pipe without a reader. They are
// ignored, so that the write fails.
var writeSignals = []os.Signal{syscall.SIGPIPE}

// errorNoData is the system's ERROR_NO_DATA, "the pipe is being closed".
const errorNoData syscall.Errno = 232

// brokenPipeCodes are the errors of a write to a pipe without a reader: its other
// end is closed, or is being closed.
var brokenPipeCodes = []syscall.Errno{syscall.ERROR_BROKEN_PIPE, errorNoData}
