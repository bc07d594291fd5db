// Package pool divides short calculations among several goroutines: calculations of some ten
// microseconds, one right after another, as the instructions of a training step are. Start
// reading at Pool.Do. The package does not queue work: a pool does one calculation at a time.
package pool

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Pool is a group of workers that share calculations: the goroutine that calls Do, and others
// that wait for its calls. Only one goroutine may use a pool at a time. A nil or closed pool
// has one worker, the caller.
type Pool struct {
	workers []worker // the first is the caller of Do
	started bool     // whether the goroutines run
	closed  atomic.Bool
	running sync.WaitGroup // running goroutines

	work      func(worker, from, to int) // current calculation
	remaining atomic.Int64               // number of unfinished units
	lock      sync.Mutex                 // guards failure
	failure   *failure                   // panic of work with the lowest unit; nil if none
}

// worker is a goroutine of a pool. Every worker starts with a range of units of its own and
// then takes units from the ranges of others, so that nobody waits for a goroutine that the
// operating system has suspended. A range is one atomic word and the only shared state: it
// does not matter who takes units from it, nor when.
type worker struct {
	units  atomic.Uint64 // units from, …, to−1 that nobody has taken, as from<<32 | to
	parked atomic.Bool   // whether the worker sleeps until something is sent to wake
	wake   chan struct{} // holds one message: whoever resets parked sends it
	_      [64]byte      // keeps the next worker's words in another cache line
}

// failure is a panic of the calculation.
type failure struct {
	from  int // first unit of the call that panicked
	value any
	stack []byte // stack trace of the goroutine that panicked
}

// Panic is the value with which Do panics if the calculation did.
type Panic struct {
	Value any    // argument of the calculation's panic
	Stack string // stack trace of the calculation's panic
}

// Error returns the value and the stack trace.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// New returns a pool of the given number of workers, or nil for fewer than two. The first call
// of Do starts the goroutines, and Close ends them.
func New(threads int) *Pool {
	if threads < 2 {
		return nil
	}
	p := &Pool{workers: make([]worker, threads)}
	for i := range p.workers {
		p.workers[i].wake = make(chan struct{}, 1)
	}
	return p
}

// Workers returns the number of workers: 1 for a nil pool.
func (p *Pool) Workers() int {
	if p == nil {
		return 1
	}
	return len(p.workers)
}

// MinSharedWork is the number of multiplications from which a calculation is divided: some
// hundred microseconds. It is a variable for tests.
var MinSharedWork = 3 << 22

// multiplicationsPerNumber is the number of multiplications that take as long as reading or
// writing one number.
const multiplicationsPerNumber = 16

// OnShare, if a test sets it, is called for every divided calculation with its number of units.
var OnShare func(units int)

// ShouldShare reports whether a calculation is long enough to be divided among the workers.
// numbers is how many numbers it reads or writes.
func (p *Pool) ShouldShare(multiplications, numbers int) bool {
	return p.Workers() > 1 && multiplications+numbers*multiplicationsPerNumber >= MinSharedWork
}

// Do does units 0, …, units−1 of a calculation, each once, and returns when all are done.
// It calls work for units from, …, to−1, from several goroutines at the same time; worker is
// the index of the calling goroutine. For reproducible results, the numbers computed for a unit
// must not depend on the other units of the call. If calls panic, Do panics with a
// *Panic for the lowest unit after the other calls have returned. Do does not allocate.
func (p *Pool) Do(units int, work func(worker, from, to int)) {
	if p.Workers() == 1 || units < 2 || p.closed.Load() {
		if units > 0 {
			work(0, 0, units)
		}
		return
	}
	if OnShare != nil {
		OnShare(units)
	}
	if !p.started {
		p.start()
	}
	p.work = work
	p.remaining.Store(int64(units))
	n := min(units, len(p.workers))
	for i := range n {
		p.workers[i].setUnits(i*units/n, (i+1)*units/n)
		if i > 0 { // the first worker is this goroutine
			p.workers[i].wakeIfParked()
		}
	}
	p.doUnits(0)
	p.finish()
}

// setUnits gives the worker units from, …, to−1.
func (w *worker) setUnits(from, to int) { w.units.Store(packRange(from, to)) }

// packRange returns the word of a range of units.
func packRange(from, to int) uint64 { return uint64(from)<<32 | uint64(to) }

// unpackRange returns the range of units of a word.
func unpackRange(word uint64) (from, to int) {
	return int(word >> 32), int(word & (1<<32 - 1))
}

// wakeIfParked wakes the worker if it sleeps. Only the goroutine that resets parked sends to wake,
// which has room for one message: the send does not block.
func (w *worker) wakeIfParked() {
	if w.parked.Load() && w.parked.CompareAndSwap(true, false) {
		w.wake <- struct{}{}
	}
}

// pollsBeforeYield is how many times the caller of Do polls before it lets other goroutines use
// its core: one of them may be the worker that has not finished.
const pollsBeforeYield = 1000

// finish waits until all units are done. It panics if the calculation did.
func (p *Pool) finish() {
	for polls := 0; p.remaining.Load() != 0; polls++ {
		pause()
		if polls > pollsBeforeYield {
			runtime.Gosched()
		}
	}
	p.work = nil // the pool must not keep the calculation's memory alive
	if f := p.failure; f != nil {
		p.failure = nil
		panic(&Panic{Value: f.value, Stack: string(f.stack)})
	}
}

// start starts the goroutines of all workers but the first.
func (p *Pool) start() {
	p.started = true
	for i := 1; i < len(p.workers); i++ {
		p.running.Add(1)
		go p.runWorker(i)
	}
}

// maxPolling is how long a worker polls for work before it sleeps: longer than most calculations on
// one goroutine, and too short to show as load of the core.
const maxPolling = 50 * time.Microsecond

// runWorker does units as the worker with the given index until the pool is closed. A worker without
// units polls for a while, since the next call of Do is mostly near, and then sleeps.
func (p *Pool) runWorker(index int) {
	defer p.running.Done()
	w := &p.workers[index]
	for !p.closed.Load() {
		if w.hasUnits() {
			p.doUnits(index)
			continue
		}
		if w.pollForUnits() {
			continue
		}
		// The worker announces that it sleeps before it looks for units once more. So a caller of
		// Do either sees parked and wakes it, or has stored units before this look.
		w.parked.Store(true)
		hasWork := w.hasUnits() || p.closed.Load()
		if hasWork && w.parked.CompareAndSwap(true, false) {
			continue
		}
		// If the swap failed, another goroutine has reset parked and sends to wake. That message
		// must be received, or it would end a later sleep.
		<-w.wake
	}
}

// pollForUnits polls for units, at most for maxPolling. It reports whether there are some.
func (w *worker) pollForUnits() bool {
	const pollsPerClock = 32 // reading the clock costs more than a poll
	start := time.Now()
	for {
		for range pollsPerClock {
			if w.hasUnits() {
				return true
			}
			pause()
		}
		if time.Since(start) > maxPolling {
			return false
		}
	}
}

// hasUnits reports whether the worker's range has units that nobody has taken.
func (w *worker) hasUnits() bool {
	from, to := unpackRange(w.units.Load())
	return from < to
}

// doUnits does units as the worker with the given index, first of its own range and then of the
// others', until all are taken.
func (p *Pool) doUnits(index int) {
	for i := range p.workers { // i = 0 is the worker's own range
		w := &p.workers[(index+i)%len(p.workers)]
		for {
			from, to, ok := w.takeUnits()
			if !ok {
				break
			}
			p.doRange(index, from, to)
		}
	}
}

// takeUnits removes half of the units of the worker's range, so that there are few calls and
// little to wait for at the end. ok is false if the range is empty. Any worker may call it: a
// compare-and-swap of the whole range ensures that each unit is taken once.
func (w *worker) takeUnits() (from, to int, ok bool) {
	for { // until no other worker has changed the range between the load and the swap
		word := w.units.Load()
		from, to := unpackRange(word)
		if from >= to {
			return 0, 0, false
		}
		end := from + (to-from+1)/2
		if w.units.CompareAndSwap(word, packRange(end, to)) {
			return from, end, true
		}
	}
}

// doRange does units from, …, to−1 as the worker with the given index. It records a panic, and counts
// the units as done in any case, so that Do does not wait for them.
func (p *Pool) doRange(index, from, to int) {
	defer func() {
		if value := recover(); value != nil {
			p.recordFailure(from, value)
		}
		p.remaining.Add(-int64(to - from))
	}()
	p.work(index, from, to)
}

// recordFailure keeps a panic if no lower unit has panicked.
func (p *Pool) recordFailure(from int, value any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.failure == nil || from < p.failure.from {
		p.failure = &failure{from: from, value: value, stack: debug.Stack()}
	}
}

// Close ends the goroutines and waits until they have ended. It must not be called while Do
// runs.
func (p *Pool) Close() {
	if p == nil || p.closed.Swap(true) {
		return
	}
	for i := range p.workers {
		p.workers[i].wakeIfParked()
	}
	p.running.Wait()
}
