package main

import (
	"container/heap"
	"math/rand/v2"
	"time"

	"sml/evaluation/study"
	"sml/evaluation/study/cluster"
)

// training is one of a study: what its plan says that it takes, and what it took, in
// seconds on one core.
type training struct{ estimated, measured float64 }

// drawn draws n trainings, with replacement.
func drawn(from []training, n int, seed uint64) []training {
	r := rand.New(rand.NewPCG(seed, 0))
	list := make([]training, n)
	for i := range list {
		list[i] = from[r.IntN(len(from))]
	}
	return list
}

// workplace is what tasks run on.
type workplace struct {
	workers int
	start   float64 // seconds that a task takes before its first cell
}

// startOf is how long a task takes before its first cell, most of it for the plan.
func startOf(cells int) float64 { return 0.3 + 3e-5*float64(cells) }

// tasks is how many "sml study submit" cuts a study into for so many workers, where an
// array has at most a thousand.
func tasks(all []training, workers int) int {
	b := cluster.Bundle{Cells: len(all), CPUs: 1, Each: 10 * time.Minute, Most: cluster.DefaultArray - 1, Parallel: workers}
	for _, t := range all {
		b.Work += t.estimated
	}
	return b.Tasks()
}

// bound is the least that the trainings can take.
func (c workplace) bound(all []training) float64 {
	sum, longest := 0.0, 0.0
	for _, t := range all {
		sum, longest = sum+t.measured, max(longest, t.measured)
	}
	return max(sum/float64(c.workers), longest)
}

// makespan is what they take as so many tasks, shares by estimate, that start in their
// order whenever a worker is free. With help, a task that has ended its share when the
// last has begun goes on with trainings of others, as study.Run does.
func (c workplace) makespan(all []training, tasks int, help bool) float64 {
	p := new(study.Plan)
	for i, t := range all {
		cell := study.Planned{Cost: t.estimated}
		cell.Spec.Method = "mc"
		cell.Training.Seed = uint64(i) // by which it is found again
		p.Cells = append(p.Cells, cell)
	}
	shares := p.Cut(tasks)
	next := 0 // task
	free := make(workers, c.workers)
	for i := range free {
		free[i].of = -1
	}
	left := make([]int, tasks) // first of each that nobody has taken
	last := 0.0
	for len(free) > 0 {
		w := &free[0]
		switch {
		case w.of >= 0 && left[w.of] < len(shares[w.of]):
			w.at += all[shares[w.of][left[w.of]].Training.Seed].measured
			left[w.of]++
			last = max(last, w.at)
		case w.of >= 0 && help && next == tasks && w.stride < tasks:
			w.of = (w.task + w.stride) % tasks
			w.stride *= 2
			w.at += look
		case next < tasks:
			w.of, w.task, w.stride = next, next, 1
			w.at += c.start
			next++
		default:
			heap.Pop(&free)
			continue
		}
		heap.Fix(&free, 0)
	}
	return last
}

// look is how long it takes to look what another share has left, in seconds.
const look = 0.1

// worker is one, free at a time.
type worker struct {
	at     float64
	task   int // that it runs; -1: none yet
	of     int // the share whose trainings it takes
	stride int // to the next share that it looks at
}

// workers is a heap of those that are free first.
type workers []worker

func (w workers) Len() int           { return len(w) }
func (w workers) Less(i, j int) bool { return w[i].at < w[j].at }
func (w workers) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *workers) Push(any)          { panic("workers are not added") }

func (w *workers) Pop() any {
	old := *w
	*w = old[:len(old)-1]
	return old[len(old)-1]
}
