package experiment

import (
	"runtime/debug"
	"sync"
)

// garbagePercent is the share of memory that waits for the garbage collector during a training, in percent of the memory in
// use. Go's own 100 would double the memory. A large training makes little garbage, so that its time is the same.
const garbagePercent = 20

// garbage counts the trainings that run, and keeps the percentage for after the last.
var garbage struct {
	lock      sync.Mutex
	trainings int
	percent   int
}

// collectOften lets Go collect garbage often, until the function that it returns is called. A percentage of the program
// that is lower stays.
func collectOften() (stop func()) {
	garbage.lock.Lock()
	defer garbage.lock.Unlock()
	if garbage.trainings == 0 {
		garbage.percent = debug.SetGCPercent(garbagePercent)
		if garbage.percent < garbagePercent {
			debug.SetGCPercent(garbage.percent)
		}
	}
	garbage.trainings++
	return func() {
		garbage.lock.Lock()
		defer garbage.lock.Unlock()
		garbage.trainings--
		if garbage.trainings == 0 {
			debug.SetGCPercent(garbage.percent)
		}
	}
}
