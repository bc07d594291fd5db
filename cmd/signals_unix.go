//go:build unix

package cmd

import (
	"os"
	"syscall"
)

// writeSignals are the signals of a write to a pipe without a reader and to a file
// that has reached its largest size. They are ignored, so that the write fails.
var writeSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

// brokenPipeCodes are the errors of a write to a pipe without a reader.
var brokenPipeCodes = []syscall.Errno{syscall.EPIPE}
