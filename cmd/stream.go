package cmd

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"
)

// stream is standard output or standard error. Its reader may be as slow as it
// likes, until ctx ends: a command that is to end does not wait for who reads
// nothing any more.
type stream struct {
	ctx  context.Context
	file *os.File

	lock  sync.Mutex
	stuck bool // a write is still waiting; what follows it would come out of order
}

// farewell is how long after ctx has ended a write may take.
const farewell = time.Second

func (s *stream) Write(text []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stuck {
		return 0, s.ctx.Err()
	}
	type result struct {
		n   int
		err error
	}
	written := make(chan result, 1)
	text = slices.Clone(text) // the caller may use it again when this write still waits
	go func() {
		n, err := s.file.Write(text)
		written <- result{n, err}
	}()
	select {
	case r := <-written:
		return r.n, r.err
	case <-s.ctx.Done():
	}
	select {
	case r := <-written:
		return r.n, r.err
	case <-time.After(farewell):
		s.stuck = true
		return 0, s.ctx.Err()
	}
}
