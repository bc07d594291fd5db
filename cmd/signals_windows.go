package cmd

import (
	"os"
	"syscall"
)

// writeSignals come from writing to a stream without a reader. Ignored, the
// write fails instead.
var writeSignals = []os.Signal{syscall.SIGPIPE}
