package pool

// pause tells the CPU that a loop waits, so that the core's other thread gets more of the core.
func pause()
