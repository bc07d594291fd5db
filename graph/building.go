package graph

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// building serialises the construction of graphs and their opening: Gorgonia
// caches hashes in constants that all graphs of a process share and recycles
// nodes, so two goroutines may not build at the same time. Running needs no lock.
var building ownedLock

// WithLock calls build while no other graph of the process is under construction.
// Plain gorgonia functions need that where several goroutines build graphs; the
// builder's own methods see to it themselves, and models.Spec calls the networks and
// objectives of methods within it.
//
// Within build another graph may be built, opened and run, a model loaded, even
// trained: the goroutine that builds may build again. What waits for other
// goroutines that build has to let them: see Yield.
func (b *Builder) WithLock(build func()) {
	if !b.locked {
		defer building.hold()()
		b.locked = true
		defer func() { b.locked = false }()
	}
	build()
}

// Yield lets other goroutines build until resume is called, also where the
// caller is itself within WithLock. Whoever starts goroutines that build graphs
// and waits for them begins with
//
//	defer graph.Yield()()
//
// or an objective that calls it would wait for itself. Outside WithLock it does
// nothing.
func Yield() (resume func()) { return building.yield() }

// ownedLock is a mutex that the goroutine which holds it may take again.
type ownedLock struct {
	mutex sync.Mutex
	owner atomic.Uint64 // the goroutine that holds it, 0 if none does
}

// hold waits until this goroutine holds the lock, and returns what gives it back:
// nothing if it held the lock before.
func (l *ownedLock) hold() (release func()) {
	me := goroutine()
	if l.owner.Load() == me {
		return func() {}
	}
	l.take(me)
	return func() { l.give(me) }
}

// yield gives the lock up if this goroutine holds it, and returns what takes it
// back.
func (l *ownedLock) yield() (resume func()) {
	me := goroutine()
	if l.owner.Load() != me {
		return func() {}
	}
	l.give(me)
	return func() { l.take(me) }
}

// take and give change nothing where there is nothing to change: a yield that is
// never resumed, or resumed twice, takes no lock from another goroutine.
func (l *ownedLock) take(me uint64) {
	if l.owner.Load() != me {
		l.mutex.Lock()
		l.owner.Store(me)
	}
}

func (l *ownedLock) give(me uint64) {
	if l.owner.Load() == me {
		l.owner.Store(0)
		l.mutex.Unlock()
	}
}

// goroutine is the number of the calling goroutine, from 1. The runtime tells
// it in the first line of a stack alone: "goroutine 18 [running]:".
func goroutine() uint64 {
	var line [40]byte
	text := bytes.TrimPrefix(line[:runtime.Stack(line[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(text, []byte(" "))
	id, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil {
		panic("graph: the runtime does not say which goroutine this is")
	}
	return id
}
