package cluster

import (
	"math"
	"time"
)

// remainingWork is the remaining work of a study, with the bounds of its division into tasks.
type remainingWork struct {
	Work             // with the cores and the wanted length of a task, and the number of tasks at the same time
	Seconds  float64 // estimated time on one core
	Cells    int     // remaining cells, at least 1
	MaxTasks int     // largest number of tasks, at least 1
}

// shortestTask is the wanted length of tasks that fill one wave. A task begins by reading the
// plan, so shorter tasks would waste time.
const shortestTask = time.Minute

// divide returns the number of tasks that take about Length each. There is at most one task for
// every CPUs cells, and there are at most MaxTasks tasks.
//
// If Parallel is set, tasks run in waves of this number. Work for several waves is divided into full
// waves. Work for less than one wave is divided into a wave of shorter tasks, of about a minute at
// least.
func (r remainingWork) divide() int {
	wanted := r.countTasks(r.Length)
	if r.Parallel == 0 || wanted == r.Parallel {
		return wanted
	}
	if wanted < r.Parallel {
		return max(wanted, min(r.Parallel, r.countTasks(shortestTask)))
	}
	waves := (wanted + r.Parallel - 1) / r.Parallel // rounded up
	if waves*r.Parallel > r.maxTasks() {
		waves-- // the rounding up went beyond the limit; at least one full wave is left
	}
	return waves * r.Parallel
}

// countTasks returns the number of tasks of about the given length, from 1 to maxTasks.
func (r remainingWork) countTasks(length time.Duration) int {
	workPerTask := length.Seconds() * float64(r.CPUs)
	n := math.Ceil(r.Seconds / workPerTask)
	return int(max(1, min(n, float64(r.maxTasks())))) // as floats: n may be too large for an int
}

// maxTasks returns the largest number of tasks: at most MaxTasks, and not more than there are cells for
// all cores of a task, as a core without a cell would stand idle. The last task may have fewer cells.
func (r remainingWork) maxTasks() int {
	cellsPerCore := (r.Cells + r.CPUs - 1) / r.CPUs // rounded up
	return min(r.MaxTasks, cellsPerCore)
}

// taskLength returns the estimated length of a task if the work is divided into the given number of
// tasks. It is at most a century, as a time.Duration holds less than three.
func (r remainingWork) taskLength(tasks int) time.Duration {
	const century = 100 * 365 * 24 * 3600 // in seconds
	seconds := r.Seconds / (float64(tasks) * float64(r.CPUs))
	return time.Duration(min(seconds, century) * float64(time.Second))
}
