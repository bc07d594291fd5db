package cluster

import (
	"math"
	"time"
)

// remainingWork is the remaining work of a study, with the bounds of its division into tasks.
type remainingWork struct {
	Work     float64       // estimated seconds on one core
	Cells    int           // remaining cells, at least 1
	CPUs     int           // cores of a task, at least 1
	Length   time.Duration // wanted length of a task
	MaxTasks int           // largest number of tasks, at least 1
	Parallel int           // tasks that run at the same time; 0 for any number
}

// shortestTask is the wanted length of tasks that fill one wave. A task begins by reading the
// plan, so shorter tasks would waste time.
const shortestTask = time.Minute

// tasks returns the number of tasks that take about Length each. There is at most one task for
// every CPUs cells, and there are at most MaxTasks tasks. If Parallel is set and there is work for
// several waves, the number is a multiple of Parallel, so that the last wave is full. If there is
// work for less than one wave, tasks fills it with shorter tasks, of about a minute at least.
func (b remainingWork) tasks() int {
	n := b.countTasks(b.Length)
	if b.Parallel == 0 || n == b.Parallel {
		return n
	}
	if n < b.Parallel {
		return max(n, min(b.Parallel, b.countTasks(shortestTask)))
	}
	waves := (n + b.Parallel - 1) / b.Parallel
	if waves*b.Parallel > b.maxTasks() {
		waves--
	}
	return waves * b.Parallel
}

// countTasks returns the number of tasks of a given length.
func (b remainingWork) countTasks(length time.Duration) int {
	n := math.Ceil(b.Work / (length.Seconds() * float64(b.CPUs)))
	return int(max(1, min(n, float64(b.maxTasks()))))
}

// maxTasks returns the largest number of tasks with work for every core.
func (b remainingWork) maxTasks() int { return min(b.MaxTasks, (b.Cells+b.CPUs-1)/b.CPUs) }

// taskLength returns the estimated length of a task if the work is divided into this many tasks.
func (b remainingWork) taskLength(tasks int) time.Duration {
	const longest = 100 * 365 * 24 * 3600 // seconds: a time.Duration holds three centuries
	seconds := b.Work / (float64(tasks) * float64(b.CPUs))
	return time.Duration(min(seconds, longest) * float64(time.Second))
}
