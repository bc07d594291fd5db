//go:build unix

package cmd

import (
	"os"
	"syscall"
)

// writeSignals come from writing to a stream without a reader and to a file
// that is as large as it may be. Ignored, the write fails instead.
var writeSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}
