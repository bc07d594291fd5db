package pool

// pause tells the CPU that a loop waits: a second thread of its core gets more of it.
func pause()
