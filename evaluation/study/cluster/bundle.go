package cluster

import (
	"math"
	"time"
)

// Bundle is how much there is to do, and how it may be cut into tasks.
type Bundle struct {
	Work     float64       // estimated seconds on one core
	Cells    int           // that are left to do, from 1
	CPUs     int           // of a task, from 1
	Each     time.Duration // what a task is to take
	Most     int           // tasks, from 1
	Parallel int           // tasks at the same time; 0: any number
}

// shortest is what a task takes at the least, since it begins by reading the plan.
const shortest = time.Minute

// Tasks is the number of tasks that take Each at CPUs cores: at most one for
// CPUs cells, and at most Most. Where only so many run at the same time, it is a
// multiple of Parallel, so that the last wave is as full as the first; or, where that is
// one wave, tasks that take a minute at the least.
func (b Bundle) Tasks() int {
	most := min(b.Most, (b.Cells+b.CPUs-1)/b.CPUs)
	of := func(each time.Duration) float64 {
		return max(1, min(math.Ceil(b.Work/(each.Seconds()*float64(b.CPUs))), float64(most)))
	}
	n := of(b.Each)
	if k := float64(b.Parallel); n < k {
		n = max(n, min(k, of(shortest)))
	} else if k > 0 && n > k {
		n = math.Ceil(n/k) * k
		for n > float64(most) {
			n -= k
		}
	}
	return int(n)
}

// Takes is how long so many tasks take one, by the estimate.
func (b Bundle) Takes(tasks int) time.Duration {
	const longest = 100 * 365 * 24 * 3600 // seconds: a time.Duration holds three centuries
	seconds := b.Work / (float64(tasks) * float64(b.CPUs))
	return time.Duration(min(seconds, longest) * float64(time.Second))
}
