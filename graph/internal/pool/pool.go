// Package pool runs pieces of work on several cores: pieces of some ten microseconds,
// one right after another, as the steps of a training are.
package pool

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Pool is a number of goroutines that work together: the one that asks, and
// others that wait for it. It is used by one goroutine at a time. A nil Pool, and a
// closed one, is that goroutine alone.
type Pool struct {
	workers []worker // the first is the one that asks
	started bool
	closed  atomic.Bool
	ended   sync.WaitGroup

	work   func(worker, from, to int)
	left   atomic.Int64 // units that are not done yet
	lock   sync.Mutex
	failed *failure // of the lowest unit
}

// worker has a share of the units that are to be done, from, …, to−1, in one word,
// from<<32 | to. Whoever has done its own takes from those of others, so that nobody
// waits for a goroutine that the machine has put aside. What a word says is all there
// is to know: it does not matter who takes units, nor when it had looked first.
type worker struct {
	share  atomic.Uint64
	parked atomic.Bool
	wake   chan struct{}
	_      [64]byte // the next word is in another line of the cache
}

// failure is what work panicked with, in a call that began at unit from.
type failure struct {
	from  int
	value any
	stack []byte
}

// Panic is what Do panics with when work did: its value, and where that was.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// New returns a pool of so many goroutines, the caller's among them. They begin with
// the first work that there is for them, and end with Close.
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

// Threads is the number of goroutines.
func (p *Pool) Threads() int {
	if p == nil {
		return 1
	}
	return len(p.workers)
}

// Least is how many multiplications work has that is worth being shared: some hundred
// microseconds of it.
var Least = 3 << 22 // a variable for tests

// number is how many multiplications reading or writing a number counts for.
const number = 16

// Watch, if a test sets it, is told of work that is shared.
var Watch func(units int)

// Worth tells whether work of so many multiplications, on so many numbers that are read
// or written, is worth being shared. Of one goroutine none is.
func (p *Pool) Worth(multiplications, numbers int) bool {
	return p.Threads() > 1 && multiplications+numbers*number >= Least
}

// Do calls work until units 0, …, units−1 are done, each by one call, and returns
// when they are. Calls are for some units each, from, …, to−1, and come from several
// goroutines at once, by their number in the pool. What work does to a unit may not
// depend on which others are done by the same call: then results depend neither on
// the pool nor on chance. A panic of work is passed on, of several that of the lowest unit,
// as a *Panic, when the other calls have returned. Do allocates nothing.
func (p *Pool) Do(units int, work func(worker, from, to int)) {
	if p.Threads() == 1 || units < 2 || p.closed.Load() {
		if units > 0 {
			work(0, 0, units)
		}
		return
	}
	if Watch != nil {
		Watch(units)
	}
	if !p.started {
		p.start()
	}
	p.work = work
	p.left.Store(int64(units))
	n := min(units, len(p.workers))
	for i := range n {
		w := &p.workers[i]
		w.share.Store(uint64(i*units/n)<<32 | uint64((i+1)*units/n))
		if i > 0 && w.parked.Load() && w.parked.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
	p.help(0)
	p.settle()
}

// settle waits for the units that others are at, and passes a panic on.
func (p *Pool) settle() {
	for i := 0; p.left.Load() != 0; i++ {
		pause()
		if i > 1000 {
			runtime.Gosched() // the other goroutine may be waiting for this one's core
		}
	}
	p.work = nil
	if f := p.failed; f != nil {
		p.failed = nil
		panic(&Panic{f.value, string(f.stack)})
	}
}

func (p *Pool) start() {
	p.started = true
	for i := 1; i < len(p.workers); i++ {
		p.ended.Add(1)
		go p.serve(i)
	}
}

// patience is how long a goroutine looks for work before it sleeps: longer than most of
// what a step does on one goroutine, shorter than an eye notices in the load of a core.
const patience = 50 * time.Microsecond

// serve is a goroutine of the pool.
func (p *Pool) serve(number int) {
	defer p.ended.Done()
	w := &p.workers[number]
	for !p.closed.Load() {
		if from, to := w.bounds(); from < to {
			p.help(number)
			continue
		}
		if w.look() {
			continue
		}
		w.parked.Store(true)
		if from, to := w.bounds(); from < to || p.closed.Load() {
			if w.parked.CompareAndSwap(true, false) {
				continue
			}
		}
		<-w.wake
	}
}

// look waits for work, but not for long.
func (w *worker) look() bool {
	began := time.Now()
	for {
		for range 32 {
			if from, to := w.bounds(); from < to {
				return true
			}
			pause()
		}
		if time.Since(began) > patience {
			return false
		}
	}
}

func (w *worker) bounds() (from, to int) {
	s := w.share.Load()
	return int(s >> 32), int(s & (1<<32 - 1))
}

// help does units, its own first, until all are taken.
func (p *Pool) help(number int) {
	for i := range p.workers {
		w := &p.workers[(number+i)%len(p.workers)]
		for {
			from, to, ok := w.take()
			if !ok {
				break
			}
			p.run(number, from, to)
		}
	}
}

// take takes half of what is left of a share: few calls, and little to wait for at
// the end.
func (w *worker) take() (from, to int, ok bool) {
	for {
		s := w.share.Load()
		from, to := int(s>>32), int(s&(1<<32-1))
		if from >= to {
			return 0, 0, false
		}
		end := from + (to-from+1)/2
		if w.share.CompareAndSwap(s, uint64(end)<<32|uint64(to)) {
			return from, end, true
		}
	}
}

// run does units that were taken.
func (p *Pool) run(number, from, to int) {
	defer func() {
		if value := recover(); value != nil {
			p.fail(from, value)
		}
		p.left.Add(int64(from - to))
	}()
	p.work(number, from, to)
}

func (p *Pool) fail(from int, value any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.failed == nil || from < p.failed.from {
		p.failed = &failure{from, value, debug.Stack()}
	}
}

// Close ends the goroutines, and waits until they have ended. It is not called beside
// Do.
func (p *Pool) Close() {
	if p == nil || p.closed.Swap(true) {
		return
	}
	for i := range p.workers {
		if w := &p.workers[i]; w.parked.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
	p.ended.Wait()
}
