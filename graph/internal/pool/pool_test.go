package pool

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Every unit is done exactly once in every calculation, with any number of workers.
func TestEveryUnitIsDoneOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 3, 8, 16} {
		p := New(threads)
		if want := max(1, threads); p.Workers() != want {
			t.Errorf("a pool of %d has %d goroutines", threads, p.Workers())
		}
		for round := range 300 {
			units := []int{0, 1, 2, 5, 16, 1000}[round%6]
			done := make([]int32, units)
			p.Do(units, func(worker, from, to int) {
				if worker < 0 || worker >= p.Workers() || from >= to {
					t.Errorf("worker %d of %d was asked for units %d to %d", worker, p.Workers(), from, to)
				}
				for i := from; i < to; i++ {
					atomic.AddInt32(&done[i], 1)
				}
			})
			for i, n := range done {
				if n != 1 {
					t.Fatalf("%d threads: unit %d of %d was done %d times", threads, i, units, n)
				}
			}
		}
		p.Close()
	}
}

// No two calls have the index of one worker at the same time, and with enough units every worker
// does some.
func TestWorkersAreApart(t *testing.T) {
	const threads = 4
	p := New(threads)
	defer p.Close()
	var busy, calls [threads]atomic.Int32
	deadline := time.Now().Add(10 * time.Second)
	for {
		p.Do(64, func(worker, from, to int) {
			if busy[worker].Add(1) > 1 {
				t.Error("two calls have one number")
			}
			calls[worker].Add(1)
			for range to - from {
				runtime.Gosched()
			}
			busy[worker].Add(-1)
		})
		all := true
		for i := range calls {
			all = all && calls[i].Load() > 0
		}
		if all {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("calls of the goroutines: %v", &calls)
		}
	}
}

// Each unit reads numbers that other units wrote in the calculation before.
func TestWorkSeesTheWorkBefore(t *testing.T) {
	p := New(3)
	defer p.Close()
	const n = 90
	from, to := make([]int, n), make([]int, n)
	work := func(_, low, high int) {
		for i := low; i < high; i++ {
			to[i] = from[(i+n/2)%n] + 1
		}
	}
	for range 2000 {
		p.Do(n, work)
		from, to = to, from
	}
	for i, v := range from {
		if v != 2000 {
			t.Fatalf("number %d is %d after 2000 rounds", i, v)
		}
	}
}

// The caller gets the panic of the lowest unit with its stack; all other units are done, and the pool
// can be used again.
func TestPanic(t *testing.T) {
	p := New(3)
	defer p.Close()
	failure := errors.New("no")
	for _, units := range [][]int{{0}, {29}, {7, 20, 25}} {
		var done atomic.Int32
		func() {
			defer func() {
				r, ok := recover().(*Panic)
				if !ok || r.Value != any(failure) || !strings.Contains(r.Stack, "pool_test.go") {
					t.Errorf("recovered %v, want the panic of unit %d", r, units[0])
				}
			}()
			p.Do(30, func(_, from, to int) {
				for i := from; i < to; i++ {
					done.Add(1)
					for _, u := range units {
						if i == u {
							panic(failure)
						}
					}
				}
			})
		}()
		if done.Load() == 0 {
			t.Error("nothing was done")
		}
	}
	n := 0
	var lock sync.Mutex
	p.Do(30, func(_, from, to int) { lock.Lock(); n += to - from; lock.Unlock() })
	if n != 30 {
		t.Errorf("%d of 30 units were done after a panic", n)
	}
}

// A pool starts nothing before there is work, parks what finds none, and leaves
// nothing behind.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	var pools []*Pool
	for range 20 {
		pools = append(pools, New(8))
	}
	if n := runtime.NumGoroutine(); n != before {
		t.Errorf("pools without work have %d goroutines", n-before)
	}
	for _, p := range pools {
		p.Do(8, func(_, _, _ int) {})
	}
	deadline := time.Now().Add(10 * time.Second)
	for _, p := range pools {
		for i := range p.workers[1:] {
			for !p.workers[1+i].parked.Load() {
				if time.Now().After(deadline) {
					t.Fatal("a goroutine without work does not sleep")
				}
				time.Sleep(time.Millisecond)
			}
		}
	}
	for _, p := range pools {
		p.Close()
		p.Close()
		n := 0
		p.Do(8, func(worker, from, to int) { n += to - from })
		if n != 8 {
			t.Errorf("a closed pool does %d of 8 units", n)
		}
	}
	for runtime.NumGoroutine() > before { // the runtime counts a goroutine a moment longer than running
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
		}
		time.Sleep(time.Millisecond)
	}
	(*Pool)(nil).Close()
}

func TestNothingIsAllocated(t *testing.T) {
	p := New(4)
	defer p.Close()
	var sum atomic.Int64
	work := func(_, from, to int) { sum.Add(int64(to - from)) }
	if n := testing.AllocsPerRun(1000, func() { p.Do(100, work) }); n != 0 {
		t.Errorf("%v allocations for each piece of work", n)
	}
}
